"""Documents, rows and files: read them with errors that name the place, write them whole or not at all."""
