"""Draw maps of worlds: as text, or as SVG. They need nothing but the data of the world."""
