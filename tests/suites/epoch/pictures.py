"""Take the picture of a game for the documentation: python -m tests.suites.epoch.pictures"""

from tests.analysis.report.browser import address
from tests.pictures import Album, take

if __name__ == "__main__":
    runs = {"greedy": ("--suite", "epoch", "--dataset", "epochs-v1", "--model", "greedy")}
    take(Album(runs, {"epochs": (address("greedy", "L06", 25), 1290)}))
