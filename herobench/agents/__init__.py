"""How models are asked: an agent takes a question to a model, in one call or in many, and comes back with an answer."""
