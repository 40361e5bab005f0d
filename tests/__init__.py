"""The tests, in a tree that mirrors the program's."""

import os

# The matrices of tests are small. Numpy's threads would wait for each other in a loop, on the processors that other
# tests need. It reads this when it is imported, so it stands here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
