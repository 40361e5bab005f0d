"""Environments of OpenEnv, for every suite: `herobench openenv` serves them, `herobench export openenv` packs them.

All modules but `scorers` need the extra `openenv`.
"""
