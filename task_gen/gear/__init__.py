"""Which gear wins a fight: who may wear what, and the search for minimal winning sets."""
