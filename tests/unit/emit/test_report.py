"""The report: its numbers, its page and its text; nothing in it is trusted."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from emit_headers import check_golden
from emit_report import EVIL, full, nothing

from r3c.core.result import Verdict
from r3c.emit.bars import funnel
from r3c.emit.charts import Mark, search_curve
from r3c.emit.render import render_page
from r3c.emit.report import AppReport, ReportData, expectation, write_report
from r3c.emit.svg import Scale, time_text

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Tags, ids, targets and texts of a page; complains about tags that do not close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def page(data: ReportData) -> Page:
    return Page(render_page("report.html.j2", report=data))


@pytest.mark.parametrize("data", [full(), nothing()], ids=["full", "nothing"])
def test_the_page_needs_nothing_but_itself(data: ReportData) -> None:
    text = render_page("report.html.j2", report=data)
    assert not re.search(r"https?://|@import|url\(", text)
    tags = {tag for tag, _ in Page(text).tags}
    assert not tags & {"script", "link", "img", "iframe", "object"}


def test_texts_from_outside_are_shown_and_never_run() -> None:
    found = page(full())
    assert sum(EVIL in text for text in found.texts) >= 3
    assert not any(name.startswith("on") for _, attributes in found.tags for name in attributes)


@pytest.mark.parametrize("data", [full(), nothing()], ids=["full", "nothing"])
def test_every_link_of_the_page_leads_to_a_part_of_it(data: ReportData) -> None:
    found = page(data)
    ids = [a["id"] for _, a in found.tags if "id" in a]
    assert len(ids) == len(set(ids))
    targets = {str(a["href"])[1:] for tag, a in found.tags if tag == "a"}
    labels = {str(a["aria-labelledby"]) for _, a in found.tags if "aria-labelledby" in a}
    assert targets | labels <= set(ids)


def test_every_chart_says_in_words_what_it_shows() -> None:
    drawings = [attributes for tag, attributes in page(full()).tags if tag == "svg"]
    assert len(drawings) >= 6
    assert all(a.get("role") == "img" and a.get("aria-label") for a in drawings)


def test_what_scrolls_can_be_reached_from_the_keyboard() -> None:
    scrolling = [a for tag, a in page(full()).tags if tag == "pre" or a.get("class") == "wide"]
    assert scrolling
    assert all(a.get("tabindex") == "0" and a.get("aria-label") for a in scrolling)


def test_the_page_names_what_was_not_verified() -> None:
    assert any("there the original kernel is launched" in text for text in page(full()).texts)


def test_a_report_without_a_winner_says_so() -> None:
    assert "heat: nothing faster was verified, the original stays" in page(nothing()).texts
    assert nothing().exit_code == 3
    assert full().exit_code == 0


def test_json_and_markdown_are_what_was_reviewed(tmp_path: Path) -> None:
    assert write_report(full(), tmp_path) == tmp_path / "report.html"
    check_golden("reports/report.json", (tmp_path / "report.json").read_text(encoding="utf-8"))
    check_golden("reports/report.md", (tmp_path / "report.md").read_text(encoding="utf-8"))


def test_json_has_every_field_of_schema_1() -> None:
    data = json.loads(json.dumps(full().to_dict()))
    assert data["schema"] == 1
    kernel = data["kernels"][0]
    names = {"name", "baseline_us", "best_us", "speedup", "speedup_low", "candidate", "header", "verdicts"}
    assert names <= set(kernel)
    assert {"baseline_s", "tuned_s", "output_equal"} <= set(data["app"])
    assert set(data["time"]) == {"record_s", "build_s", "replay_s", "llm_s", "search_s", "total_s", "replacements_s"}
    assert isinstance(data["not_verified"], list)


def test_a_kernel_without_a_gain_for_certain_is_no_winner() -> None:
    data = full()
    data.kernels[0].speedup_low = 1.0
    assert data.exit_code == 3


def test_the_funnel_ends_with_the_faster_ones_and_loses_no_candidate() -> None:
    verdicts = {verdict.value: number for number, verdict in enumerate(Verdict, 1)}
    stages = funnel(verdicts)
    assert stages[0].passed == sum(verdicts.values())
    assert stages[-1].passed == verdicts["faster"]
    lost = {name: count for stage in stages for name, count in stage.lost}
    assert lost == {name: count for name, count in verdicts.items() if name != "faster"}


def test_amdahls_law() -> None:
    kernel = full().kernels[0]
    kernel.device_us, kernel.speedup = 500_000.0, 2.0
    found = expectation(1.0, [kernel])
    assert found is not None
    assert (found.share, found.expected, found.limit) == (0.5, pytest.approx(4 / 3), 2.0)
    assert expectation(0.0, [kernel]) is None


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ((2.0, 2.1), (1.0, 1.9), "faster than every run without"),
        ((2.0, 2.1), (2.2, 2.3), "slower than every run without"),
        ((2.0, 2.2), (2.1, 1.0), "show no difference for certain"),
        ((), (), ""),
    ],
)
def test_runs_of_the_application_are_judged_one_by_one(
    before: tuple[float, ...], after: tuple[float, ...], words: str
) -> None:
    assert words in AppReport(2.0, 1.0, True, "", before, after).judgement


def test_the_curve_goes_down_at_each_new_best_only() -> None:
    drawing = search_curve(100.0, [Mark(1, 90.0), Mark(2, 95.0), Mark(3, None), Mark(4, 80.0)])
    (path,) = re.findall(r'class="best" d="([^"]*)"', drawing)
    assert path.count("V") == 2
    assert drawing.count('class="dot"') == 3
    assert drawing.count('class="lost"') == 1
    assert search_curve(100.0, [Mark(1, None)]) == ""


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (99.5, 100.5), (0.0, 7e6), (5.0, 5.0)])
def test_ticks_lie_within_their_scale(low: float, high: float) -> None:
    ticks = Scale(low, high, 0, 100).ticks()
    assert 1 <= len(ticks) <= 9
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks)


def test_times_are_in_the_unit_that_reads_best() -> None:
    assert [time_text(us) for us in (0.5, 12.34, 4321.0, 2.5e6)] == ["0.5 us", "12.3 us", "4.32 ms", "2.5 s"]
