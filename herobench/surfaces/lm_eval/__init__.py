"""lm-eval runs the suites that are played in one turn, by the YAML files of this folder or by a folder with knobs."""
