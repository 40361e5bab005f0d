"""The gear search: candidates for each slot, and minimal winning sets among them."""
