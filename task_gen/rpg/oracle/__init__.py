"""The oracle: plan tasks with full knowledge of the world, and bound from below how short a plan can be."""
