"""Why a plan lost: the finer classes beneath the paper's buckets, and how the first cause is found among events."""
