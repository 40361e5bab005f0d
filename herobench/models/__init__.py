"""Where answers come from: served models, players without a model, recordings; how they fail, wait and cost."""
