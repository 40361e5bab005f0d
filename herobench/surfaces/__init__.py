"""HeroBench inside other tools: one thin module for each, on `herobench.scorer`. Each needs its own extra, if any."""
