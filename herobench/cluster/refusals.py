"""The errors of jobs on a cluster, each with its sentence."""

from herobench.data.errors import Fault


class ClusterFault(Fault):
    """The kinds of errors of jobs on a cluster."""

    JOB_LOST = "The cluster lost the job: {reason}"
    NO_CLUSTER = "No Ray cluster answers: {error}"
    NO_CPU = "The cluster has no CPU for a worker, so that the job would wait for ever: add a node."
    NO_ENGINE = "--on is {name!r}: give ray. The variable RAY_ADDRESS names a cluster elsewhere."
    NO_FILES = "{name} has no files that end in .jsonl."
    NO_JOB = "{folder} has shards but no job.json: name another folder."
    NO_RAY = "--on ray needs the library ray: pip install 'herobench[ray]'."
    OTHER_JOB = "{folder} holds another job: {there} there, {here} here. Name another folder."
    OTHER_VERSION = "A worker has herobench {here}, the job is of {there}: install one version everywhere."
    TOO_MANY_WORKERS = (
        "{wanted} workers of {each} CPUs each take all of the {cpus:g} CPUs of the cluster. None is left to read "
        "the data, and the dataset would hang: ask for fewer workers."
    )
    UNSEEN_FOLDER = "A worker does not see {folder}: name a folder that all machines share."
