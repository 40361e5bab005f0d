"""Tasks and runs as files in the forms of other tools. Nothing here needs a package of theirs."""
