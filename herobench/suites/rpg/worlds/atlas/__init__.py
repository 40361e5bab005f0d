"""Draw maps of worlds: as text, as SVG, or as a page. They need nothing but the data of the world."""
