"""Environments of OpenEnv, for every suite: `herobench openenv` serves them, `herobench export openenv` packs them.

They need the extra `openenv`, apart from `scorers`.
"""
