"""Jobs that read from and write to an object store: moto, a server that speaks S3, in an environment of its own."""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.cluster.test_ray import alone, answers
from tests.surfaces.environment import Environment, make_environment

pytestmark = pytest.mark.packaging
NEEDS = ("s3fs", "moto[server]")
SCRIPT = Path(__file__).with_name("in_a_store.py")


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return make_environment(tmp_path_factory.mktemp("store"), *NEEDS, herobench="ray")


@pytest.fixture
def store(tools: Environment, tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """The variables by which fsspec and boto find a server with an empty bucket `episodes`."""
    log = (tmp_path / "moto.log").open("w+")
    command = [tools.bin / "moto_server", "-H", "127.0.0.1", "-p", "0"]
    with log, subprocess.Popen(command, stdout=log, stderr=log, env=os.environ) as server:
        try:
            for _ in range(300):
                log.seek(0)
                if found := re.search(r"http://127\.0\.0\.1:\d+", log.read()):
                    break
                time.sleep(0.1)
            assert found
            yield {
                "AWS_ENDPOINT_URL": found[0],
                "AWS_ACCESS_KEY_ID": "testing",
                "AWS_SECRET_ACCESS_KEY": "testing",
                "AWS_DEFAULT_REGION": "us-east-1",
            }
        finally:
            server.terminate()


def test_a_job_reads_from_and_writes_to_a_bucket_and_goes_on_after_a_loss(
    tools: Environment, store: Mapping[str, str], tmp_path: Path
) -> None:
    path = answers(tmp_path, 100)
    done, text = alone(tmp_path, path)
    told = tools.run("python", SCRIPT, path, cwd=tmp_path, extra=store, seconds=300)
    assert told.returncode == 0, told.stderr[-3000:]
    (line,) = [line for line in told.stdout.splitlines() if line.startswith("{")]
    found = json.loads(line)
    for command in ("first", "again", "parquet"):
        assert found[command]["code"] == 0, found[command]["stderr"]
        assert found[command]["stdout"].splitlines()[1:] == done.stdout.splitlines()[1:]
    assert found["text"] == text
    assert found["made_again"] == ["part-0000001.jsonl"]
    assert found["other"]["code"] == 2
    assert "s3://episodes/out holds another job" in found["other"]["stderr"]
    assert found["no bucket"]["code"] == 2
    assert "s3://nowhere/answers.jsonl cannot be" in found["no bucket"]["stderr"]
