"""The generator of the suite discover: mysteries with certificates, their proof, and how to explore them."""
