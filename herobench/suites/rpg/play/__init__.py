"""Plans and answers of models, played in the game: one at a time or many."""
