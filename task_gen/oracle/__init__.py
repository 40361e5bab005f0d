"""The oracle: plans for tasks, made with full knowledge of the world, and how short a plan can be."""
