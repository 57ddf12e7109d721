"""Proposals of a language model, through any server that speaks the OpenAI protocol; evolution goes on between them.

Each request and answer is kept by the hash of the request, so that a study repeats, resumes and runs without a network.
What the model proposes enters the genetic population like everything else, so that rules can build on it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from r3c.core.config import LlmConfig
from r3c.core.errors import ConfigError, MissingExtra
from r3c.core.spec import format_specs
from r3c.proposers._answers import read_answer
from r3c.proposers.base import LegalPrograms, Problem, Structure, StructureResult, structural_steps
from r3c.proposers.genetic import Genetic
from r3c.resources import resource
from r3c.tree.parse import parse
from r3c.tree.regions import region

PROPOSALS = 4
ASK_EVERY = 6  # structures of evolution between two requests
RETRIES = 2  # with the parser's error, when an answer cannot be used
FAILURES_MAX = 3  # of the server in a row, before only evolution goes on
HISTORY_MAX = 12


@dataclass
class Cassette:
    """Answers by the hash of their request, one JSON file each. With `replay_only` nothing is ever asked."""

    folder: Path
    replay_only: bool = False

    def find(self, key: str) -> dict[str, Any] | None:
        path = self.folder / f"{key}.json"
        try:
            raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise ConfigError(f"{path}: not a recorded answer: {error}") from None
        return raw

    def keep(self, key: str, request: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        beside = self.folder / f".{key}.part"
        beside.write_text(json.dumps({"request": request, **answer}, indent=1, sort_keys=True), encoding="utf-8")
        beside.replace(self.folder / f"{key}.json")


@dataclass
class Spent:
    """Requests, tokens and money so far; `usd` is None where the model's price is not configured."""

    requests: int = 0
    tokens: int = 0
    usd: float | None = 0.0


class Llm:
    """Reads its server from `problem.context`: `llm` (LlmConfig) and `cassette` (Cassette)."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self._problem = problem
        self._seed = seed
        self._config: LlmConfig = problem.context.get("llm", LlmConfig())
        self._cassette: Cassette = problem.context["cassette"]
        if not self._config.base_url and not self._cassette.replay_only:
            raise ConfigError(
                "proposer llm needs a server", hint="[llm] base_url and model in r3c.toml, or --llm-replay DIR"
            )
        self._evolution = Genetic(problem, seed)
        self._programs = LegalPrograms(problem)
        self._queue: list[Structure] = []
        self._given: set[Structure] = set()
        self._history: list[str] = []
        self._since = ASK_EVERY
        self._failures = 0
        self.spent = Spent()
        self.notes: list[str] = []

    def ask(self) -> Structure | None:
        if not self._queue and self._since >= ASK_EVERY and self._failures < FAILURES_MAX:
            self._since = 0
            self._queue = self._propose()
        while self._queue:
            structure = self._programs.keep_legal(self._queue.pop(0))
            if structure and structure not in self._given:
                self._given.add(structure)
                return structure
        self._since += 1
        structure_or_none = self._evolution.ask()
        if structure_or_none is not None:
            self._given.add(structure_or_none)
        return structure_or_none

    def tell(self, structure: Structure, result: StructureResult) -> None:
        text = format_specs(structure)
        what = f"{result.speedup:.3f}x" if result.best_us else f"{result.verdict.value}: {result.detail}"[:160]
        self._history.append(f"{text}: {what}")
        self._evolution.tell(structure, result)

    def _propose(self) -> list[Structure]:
        error = ""
        for _ in range(RETRIES + 1):
            text = self._complete(self._prompt(error))
            if text is None:
                return []
            answer = read_answer(text, self._problem)
            if answer.structures:
                return answer.structures[:PROPOSALS]
            error = answer.error
        return []

    def _prompt(self, error: str) -> str:
        import jinja2

        problem = self._problem
        here = region(parse(problem.source, problem.names), problem.kernel)
        context = problem.context
        loader = jinja2.FileSystemLoader(resource("templates", "prompts"))
        environment = jinja2.Environment(  # noqa: S701 - the output is a prompt, not a page
            loader=loader, undefined=jinja2.StrictUndefined, keep_trailing_newline=True
        )
        return environment.get_template("rewrite.j2").render(
            kernel=problem.kernel,
            device=context.get("device_name", "a GPU"),
            launches=context.get("launches", ()),
            contract=_contract_words(problem),
            source=here.function.text,
            steps=[str(step) for step in structural_steps(here)],
            history=self._history[-HISTORY_MAX:],
            count=PROPOSALS,
            error=error,
        )

    def _complete(self, prompt: str) -> str | None:
        """The model's answer, None where there is none to be had."""
        config = self._config
        request = {
            "model": config.model,
            "temperature": config.temperature,
            "max_tokens": config.max_tokens,
            "seed": self._seed + self.spent.requests,
            "messages": [{"role": "user", "content": prompt}],
        }
        key = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:32]
        known = self._cassette.find(key)
        if known is None:
            if self._cassette.replay_only:
                self._fail("no recorded answer for the next request: evolution goes on alone")
                self._failures = FAILURES_MAX
                return None
            known = self._ask_server(request)
            if known is None:
                return None
            self._cassette.keep(key, request, known)
        self._account(known)
        return str(known.get("text", ""))

    def _ask_server(self, request: dict[str, Any]) -> dict[str, Any] | None:
        try:
            import openai
        except ImportError:
            raise MissingExtra("proposer llm needs package openai", hint="pip install r3c") from None
        config = self._config
        client = openai.OpenAI(
            base_url=config.base_url,
            api_key=os.environ.get(config.key_variable, "none"),
            timeout=config.timeout_s,
            max_retries=2,
        )
        try:
            answer = client.chat.completions.create(**request)
        except openai.OpenAIError as error:
            self._failures += 1
            left = "; asking again later" if self._failures < FAILURES_MAX else "; evolution goes on alone"
            self._fail(f"the model server does not answer ({type(error).__name__}){left}")
            return None
        self._failures = 0
        usage = answer.usage
        text = answer.choices[0].message.content if answer.choices else ""
        return {
            "text": text or "",
            "author": f"model {request['model']}",
            "input_tokens": usage.prompt_tokens if usage else 0,
            "output_tokens": usage.completion_tokens if usage else 0,
        }

    def _account(self, answer: Mapping[str, Any]) -> None:
        read, written = int(answer.get("input_tokens", 0)), int(answer.get("output_tokens", 0))
        self.spent.requests += 1
        self.spent.tokens += read + written
        prices = self._config.usd_per_million_input, self._config.usd_per_million_output
        if min(prices) < 0:
            self.spent.usd = None
        elif self.spent.usd is not None:
            self.spent.usd += (read * prices[0] + written * prices[1]) / 1e6

    def _fail(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _contract_words(problem: Problem) -> str:
    contract = problem.contract
    if contract.tolerance.exact:
        same = "results must be equal to the last bit"
    else:
        same = f"results within rtol {contract.tolerance.rtol:g}, atol {contract.tolerance.atol:g}"
    roles = ", ".join(f"{name} is {buffer.role.value}" for name, buffer in contract.buffers.items())
    return f"{same}; the signature stays; geometry {contract.geometry.value}" + (f"; {roles}" if roles else "")
