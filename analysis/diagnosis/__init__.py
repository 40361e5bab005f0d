"""Diagnosis: which single skill of a model predicts that its long plans are lost."""
