"""The generator of the suite discover: mysteries with certificates, their proof, and the planning of players."""
