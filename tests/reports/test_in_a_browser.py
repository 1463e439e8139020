"""Pages as Chromium shows them: nothing is cut off, nothing is wider than the window, links lead somewhere."""

import re
import shutil
from itertools import product
from pathlib import Path

import pytest

from headway.data.sample import generate
from headway.evaluation.report import report
from headway.evaluation.tables import report_page
from headway.show.html import draw
from headway.show.reports.charts import bars, heat_map, lines
from headway.show.reports.page import LONG, TONES, Bold, Page, Section, Table, html

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
RESULTS = Path(__file__).parents[2] / "docs" / "results.html"
NARROW, WIDE = 400, 1280
OUTSIDE = """() => [...document.querySelectorAll("figure svg")].flatMap(svg => {
    const [left, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    return [...svg.querySelectorAll("text, rect, path, polyline, polygon")].filter(part => {
        const box = part.getBBox(), matrix = part.transform.baseVal.consolidate()?.matrix ?? {e: 0, f: 0};
        const x = box.x + matrix.e - left, y = box.y + matrix.f - top;
        return box.width && (x < -1 || y < -1 || x + box.width > width + 1 || y + box.height > height + 1);
    }).map(part => part.textContent.trim() || part.outerHTML);
})"""
"""What of pictures lies outside of them."""
TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll("body > *")]
    .filter(part => part.getBoundingClientRect().right > window.innerWidth + 1 || part === document.documentElement
        && part.scrollWidth > part.clientWidth).map(part => part.outerHTML.slice(0, 90))"""
"""What makes the page wider than the window."""
CUT_OFF = """() => [...document.querySelectorAll(".wide")].filter(box => {
    const table = box.querySelector("table");
    box.scrollLeft = 1e6;
    return table.getBoundingClientRect().right > box.getBoundingClientRect().right + 1;
}).map(box => box.getAttribute("aria-label"))"""
"""Tables whose last column cannot be scrolled to."""
LOST = """() => [...document.querySelectorAll("a[href^='#']")].map(link => link.getAttribute("href").slice(1))
    .filter(name => !document.getElementById(decodeURIComponent(name)))"""
"""Links to nothing."""


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as run:
        yield run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


@pytest.fixture
def opened(browser):
    """A page in a window of some width, by day or by night."""
    pages = []

    def open_page(text, width=WIDE, scheme="light"):
        pages.append(browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme))
        pages[-1].set_content(text)
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


def plotted():
    """Figures with little and with much in them, short and long names, small and large numbers."""
    names = ["a", "MMMM WWWW", "configuration of a long name, averaged, with λ = 0.5"]
    for count, size in product((1, 3, 9), (1, 2, 17)):
        series = {f"{names[n % 3]} {n}": [1234.5678 * (n + at + 1) for at in range(size)] for n in range(count)}
        spread = {name: [5.0] * size for name in series}
        whole, parts = list(range(1, size + 1)), [1e5 * (at + 1) for at in range(size)]
        yield lines(whole, series, title="rounds", x_title="rounds", unit=" %", spread=spread)
        yield lines(parts, series, title="sentences", x_title="training sentences", zero=True)
        yield bars([f"{names[at % 3]} {at}" for at in range(size)], series, title="bars", unit=" %", digits=2)
        values = [[at + n / 3 if (at + n) % 4 else None for at in range(size)] for n in range(count)]
        yield heat_map([*series], [f"{names[at % 3]} {at}" for at in range(size)], values, title="map")


def evaluated():
    """The page of two systems of which each is wrong here and there."""
    gold = list(generate(300, seed=3, nonprojective=0.2))
    systems = [[one.replace(heads=turned(one.heads, n)) for one in gold] for n in (3, 5)]
    return html(report_page(report(gold, *systems, trials=20)))


def turned(heads, every):
    """Heads with every n-th leaf on the root's word instead."""
    found, root = heads.tolist(), heads.tolist().index(0) + 1
    leaves = [at for at in range(len(found)) if at + 1 not in found and found[at]]
    for at in leaves[::every]:
        found[at] = root
    return found


def tabled():
    words = ("confirmed", "refuted", "open", "not testable")
    rows = [(f"claim {'about something ' * 9}", Bold(word), *("88.88",) * 20) for word in words]
    table = Table("Wide", ("claim", "verdict", *(f"treebank {n}" for n in range(20))), rows, names=2)
    sections = [Section(f"Part {n}: {'a rather long title ' * 8}", ["x" * 300], [], [table]) for n in range(LONG)]
    return html(Page("Tables", ["Said."], sections, dict(zip(words, TONES, strict=True))))


PAGES = {
    "plots": lambda: html(Page("Plots", [], [Section("Plots", figures=list(plotted()))])),
    "tables": tabled,
    "evaluation": evaluated,
    "trees": lambda: draw(generate(20, seed=1, nonprojective=0.3)),
    "results": lambda: RESULTS.read_text("utf-8"),
}


@pytest.fixture(scope="module", params=PAGES)
def text(request):
    return PAGES[request.param]()


def test_nothing_lies_outside_of_its_picture(text, opened):
    assert opened(text).evaluate(OUTSIDE) == []


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_the_page_is_not_wider_than_its_window(text, width, opened):
    page = opened(text, width)
    assert page.evaluate(TOO_WIDE) == []
    assert page.evaluate(CUT_OFF) == []


def test_links_lead_somewhere(text, opened):
    page = opened(text)
    assert page.evaluate(LOST) == []
    titles = page.locator("h2").count()
    assert page.locator("nav a").count() == (titles if page.locator("nav").count() else 0)


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_by_day_and_by_night(scheme, opened):
    """A contrast of 4.5, which WCAG asks for, between paper and text, notes, links and verdicts."""
    page = opened(tabled(), scheme=scheme)
    colour = "(part, name) => getComputedStyle(part)[name]"
    paper = page.locator("body").evaluate(colour, "backgroundColor")
    for name in ("p", "th", "a", *(f".{tone}" for tone in TONES)):
        ink = page.locator(name).first.evaluate(colour, "color")
        dark, light = sorted((luminance(paper), luminance(ink)))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, name
    frames = [page.locator(f".{tone}").first.evaluate(colour, "borderTopStyle") for tone in TONES]
    assert len({*frames}) == len(TONES)
