"""Make tasks of the role-playing game, and prove them."""
