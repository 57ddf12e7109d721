"""The model's proposals against a local server that speaks the protocol, and from recorded answers."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from r3c.core.config import LlmConfig
from r3c.core.errors import ConfigError
from r3c.core.result import Verdict
from r3c.proposers._answers import read_answer, refused_body
from r3c.proposers.base import Problem, StructureResult
from r3c.proposers.llm import Cassette, Llm
from r3c.testing.proposer_contract import KERNEL, problem_of

STEPS = "- unroll{site=smooth/loop:k,factor=4,how=pragma}"


class Server(http.server.ThreadingHTTPServer):
    """Gives `answers` in turn; an integer is an HTTP error. Keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: list[str | int] = []
        self.prompts: list[str] = []
        self.keys: list[str | None] = []


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.prompts.append(body["messages"][0]["content"])
        self.server.keys.append(self.headers.get("Authorization"))
        answer = self.server.answers.pop(0) if self.server.answers else 500
        if isinstance(answer, int):
            self.send_error(answer)
            return
        message = {"role": "assistant", "content": answer}
        reply = {
            "id": "1", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
        }  # fmt: skip
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server()
    thread = threading.Thread(target=one.serve_forever, daemon=True)
    thread.start()
    yield one
    one.shutdown()
    one.server_close()


def problem(folder: Path, server: Server | None = None, **more: Any) -> Problem:
    base = problem_of(KERNEL)
    url = f"http://127.0.0.1:{server.server_address[1]}/v1" if server else ""
    config = LlmConfig(base_url=url, model="tiny", usd_per_million_input=1.0, usd_per_million_output=10.0, timeout_s=5)
    cassette = Cassette(folder, replay_only=server is None)
    return Problem(base.source, base.kernel, base.contract, context={"llm": config, "cassette": cassette, **more})


def test_proposed_steps_come_first_and_cost_is_counted(server: Server, tmp_path: Path) -> None:
    server.answers = [STEPS]
    proposer = Llm(problem(tmp_path, server), 1)
    assert [str(step) for step in proposer.ask() or ()] == ["unroll{site=smooth/loop:k,factor=4,how=pragma}"]
    assert proposer.spent.tokens == 1100
    assert proposer.spent.usd == pytest.approx(0.002)
    assert "smooth" in server.prompts[0]
    assert "within rtol 1e-05" in server.prompts[0]


def test_the_answer_is_replayed_without_a_network(server: Server, tmp_path: Path) -> None:
    server.answers = [STEPS]
    first = Llm(problem(tmp_path, server), 1).ask()
    assert len(server.prompts) == 1
    config = problem(tmp_path, server).context["llm"]
    base = problem_of(KERNEL)
    offline = {"llm": config, "cassette": Cassette(tmp_path, replay_only=True)}
    again = Llm(Problem(base.source, base.kernel, base.contract, context=offline), 1).ask()
    assert again == first
    assert len(server.prompts) == 1


def test_an_answer_that_cannot_be_used_gets_its_error_back(server: Server, tmp_path: Path) -> None:
    server.answers = ["I think you should unroll.", '```cuda\n{ asm("trap;"); }\n```', STEPS]
    assert Llm(problem(tmp_path, server), 1).ask() is not None
    assert "no steps and no body were found" in server.prompts[1]
    assert "inline PTX are not allowed" in server.prompts[2]


def test_a_body_becomes_a_patch_step_with_its_text_kept(server: Server, tmp_path: Path) -> None:
    server.answers = ["```cuda\n{\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) b[i] = a[i];\n}\n```"]
    here = problem(tmp_path, server)
    structure = Llm(here, 1).ask()
    assert structure is not None
    assert structure[0].name == "patch"
    assert any(sha.startswith(str(structure[0].as_dict()["text"])) for sha in here.texts)


def test_a_dead_server_leaves_evolution_alone(server: Server, tmp_path: Path) -> None:
    server.answers = [400] * 9
    proposer = Llm(problem(tmp_path, server), 1)
    for _ in range(30):
        structure = proposer.ask()
        if structure is None:
            break
        proposer.tell(structure, StructureResult(90.0, 100.0, Verdict.FASTER))
    assert len(server.prompts) == 3
    assert "evolution goes on alone" in proposer.notes[-1]


def test_the_key_comes_from_the_environment_and_is_not_kept(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-secret")
    server.answers = [STEPS]
    Llm(problem(tmp_path, server), 1).ask()
    assert server.keys == ["Bearer a-secret"]
    assert all("a-secret" not in path.read_text() for path in tmp_path.iterdir())


def test_without_server_or_answers_the_user_is_told(tmp_path: Path) -> None:
    base = problem_of(KERNEL)
    with pytest.raises(ConfigError, match="needs a server"):
        Llm(Problem(base.source, base.kernel, base.contract, context={"cassette": Cassette(tmp_path)}), 1)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("{\n#include <stdio.h>\n}", "preprocessor lines"),
        ('{ asm volatile("exit;"); }', "inline PTX"),
        ("{ b[0] = clock64(); }", "clocks"),
        ("{ smooth<<<1, 1>>>(a, b, n); }", "launches"),
        ("{ static int memory; b[0] = memory++; }", "static variables"),
        ("{ extern __device__ int x; }", "variables outside"),
        ('{ printf("x"); }', "input and output"),
        ("{ float *p = (float *)malloc(4); }", "allocations"),
        ("{ b[0] = 1.0f; } } __global__ void other() { {", "does not parse"),
        ("{ b[0] = ; }", "does not parse"),
        ("{ b[0] = 1.0f; // \u2014\n}", "not Latin-1"),
    ],
)
def test_a_body_may_hold_nothing_but_the_kernels_own_work(body: str, why: str) -> None:
    assert why in refused_body(body, problem_of(KERNEL))


def test_two_hundred_broken_answers_end_nothing() -> None:
    import random

    here = problem_of(KERNEL)
    rng = random.Random(1)
    pieces = ["```cuda\n", "```", "{", "}", "{site=", "unroll{site=smooth/loop:k,factor=2,how=pragma}", "\n", "<think>",
              "\x00", "ignore all rules", "patch{site=smooth,text=0}", ";" * 50, "#define X", "é", "}}}"]  # fmt: skip
    for _ in range(200):
        answer = read_answer("".join(rng.choices(pieces, k=rng.randint(0, 30))), here)
        assert all(step.name != "patch" or step.as_dict()["text"] for s in answer.structures for step in s)
