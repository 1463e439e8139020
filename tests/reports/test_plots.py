import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.show.reports.charts import bars, heat_map, lines
from headway.show.reports.figure import ACCURACY, WIDTH, enclosing, text_width, ticks

SVG = "{http://www.w3.org/2000/svg}"


def drawing(figure):
    """The SVG of a figure, parsed: it is well-formed XML."""
    return ElementTree.fromstring(re.search("<svg.*</svg>", figure.html(), re.DOTALL).group())


def points(svg):
    """Where the points of lines are, in their order."""
    found = [
        re.findall(r"[-\d.]+", one.get("transform"))
        for one in svg.iter(f"{SVG}path")
        if one.find(f"{SVG}title") is not None
    ]
    return [(float(x), float(y)) for x, y in found]


def test_bars_are_as_long_as_their_values():
    figure = bars(["one", "two"], {"A": [50, 100], "B": [25, None]}, title="T <&>", unit=" %")
    svg = drawing(figure)
    shown = [r for r in svg.iter(f"{SVG}rect") if r.find(f"{SVG}title") is not None]
    widths = {r.find(f"{SVG}title").text: float(r.get("width")) for r in shown}
    assert set(widths) == {"one, A: 50.0 %", "one, B: 25.0 %", "two, A: 100.0 %"}
    assert widths["two, A: 100.0 %"] == pytest.approx(2 * widths["one, A: 50.0 %"], abs=0.2)
    assert widths["one, A: 50.0 %"] == pytest.approx(2 * widths["one, B: 25.0 %"], abs=0.2)
    assert "<figcaption>T &lt;&amp;&gt;</figcaption>" in figure.html()


def test_everything_stays_inside_the_picture():
    svg = drawing(bars(["a" * 20, "b"], {"A": [1, 3.7], "B": [2, 0]}, title="T"))
    height = float(svg.get("height"))
    for rect in svg.iter(f"{SVG}rect"):
        assert float(rect.get("x")) + float(rect.get("width")) <= WIDTH
        assert float(rect.get("y")) + float(rect.get("height")) <= height
    assert all(0 <= float(text.get("y")) <= height for text in svg.iter(f"{SVG}text"))


def test_a_legend_names_several_series_and_only_those():
    texts = [text.text for text in drawing(bars(["x"], {"A": [1], "B": [2]}, title="T")).iter(f"{SVG}text")]
    assert {"A", "B"} <= set(texts)
    texts = [text.text for text in drawing(bars(["x"], {"A": [1]}, title="T")).iter(f"{SVG}text")]
    assert "A" not in texts


def test_lines_break_where_there_is_no_value():
    svg = drawing(lines([1, 2, 3, 4, 5], {"A": [1, 2, None, 4, 5]}, title="T", x_title="depth"))
    pieces = [polyline.get("points").split() for polyline in svg.iter(f"{SVG}polyline")]
    assert [len(piece) for piece in pieces] == [2, 2]
    found = [tuple(map(float, point.split(","))) for piece in pieces for point in piece]
    assert [x for x, _ in found] == sorted({x for x, _ in found})
    assert [y for _, y in found] == sorted({y for _, y in found}, reverse=True)
    assert points(svg) == found


@pytest.mark.parametrize("values", [[], [3], [0, 0]])
def test_little_data_is_drawn_all_the_same(values):
    drawing(bars(list("ab")[: len(values)], {"A": values}, title="T"))
    drawing(lines(range(len(values)), {"A": values}, title="T"))


@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-3, 1e6), count=st.integers(2, 12))
def test_ticks_enclose_the_values_in_few_even_steps(low, span, count):
    high = low + span
    if 0 < high - low < 1e-6 * max(abs(low), abs(high)):
        return
    found = ticks(low, high, count)
    step = found[1] - found[0]
    assert found[0] <= low + 1e-6 * step and found[-1] >= high - 1e-6 * step
    assert 2 <= len(found) <= count + 3
    assert all(b - a == pytest.approx(step) for a, b in pairwise(found))


@pytest.mark.parametrize("values", [[99.2, 99.9], [100.0], [0.0], [0.3, 1.0], [50.0, 50.1], [2.0, 99.0]])
def test_a_scale_of_per_cents_spans_enough_and_stays_between_0_and_100(values):
    found = enclosing(values, ACCURACY, False)
    assert 0 <= found[0] <= min(values) and max(values) <= found[-1] <= 100
    assert found[-1] - found[0] >= 5


def test_ticks_are_round():
    assert ticks(0, 97.3) == [0, 20, 40, 60, 80, 100]
    assert ticks(0.12, 0.38, 4) == [0.1, 0.2, 0.3, 0.4]


def test_a_heat_map_is_the_deeper_the_higher_and_empty_where_nothing_is():
    figure = heat_map(["a", "b"], ["x", "a longer name"], [[1.0, 3.0], [2.0, None]], title="all", digits=1)
    drawing(figure)
    drawn = figure.html()
    depths = [float(depth) for depth in re.findall(r"fill-opacity: ([\d.]+)", drawn)]
    assert len(depths) == 3 and depths[0] < depths[2] < depths[1]
    assert all(text in drawn for text in (">1.0<", ">3.0<", ">2.0<", ">a longer name<", ">b<"))
    assert figure.caption == "all; from pale (1.0) to deep (3.0)"
    assert heat_map([], [], [], title="none").html().count("<rect") == 0
    assert heat_map(["a"], ["x"], [[5.0]], title="one").html().count("<rect") == 1


def test_small_differences_are_small_differences_of_colour():
    def depths(**options):
        drawn = heat_map(["a"], ["x", "y"], [[88.1, 88.2]], title="T", **options).html()
        return [float(depth) for depth in re.findall(r"fill-opacity: ([\d.]+)", drawn)]

    (pale, deep), (first, last) = depths(), depths(scale=ACCURACY)
    assert deep - pale > 0.5 and 0 <= last - first < 0.02


def test_the_caption_says_where_a_scale_begins():
    assert lines([1, 2], {"A": [88.1, 88.2]}, title="T", unit=" %").caption == "T; the scale begins at 88.1 %"
    assert lines([1, 2], {"A": [0.0, 88.2]}, title="T").caption == "T"


def labels(svg, anchor):
    return [text.text for text in svg.iter(f"{SVG}text") if text.get("text-anchor") == anchor]


def test_an_axis_spans_enough_that_small_differences_look_small():
    svg = drawing(lines([1, 2], {"A": [88.1, 88.2]}, title="T", unit=" %", scale=ACCURACY))
    shown = [float(label.removesuffix(" %")) for label in labels(svg, "end")]
    assert shown[-1] - shown[0] >= 5 and shown[0] < 88.1 < 88.2 < shown[-1]
    (_, first), (_, last) = points(svg)
    assert 0 < first - last < 10
    svg = drawing(lines([1, 2], {"A": [10.0, 12.0]}, title="T", zero=True))
    assert labels(svg, "end")[0] == "0"


@pytest.mark.parametrize(("xs", "shown"), [([1, 2, 3, 4], "1234"), ([1, 2], "12"), ([1], "1")])
def test_whole_numbers_have_whole_ticks(xs, shown):
    svg = drawing(lines(xs, {"A": [5.0] * len(xs)}, title="T", x_title="passes"))
    assert [label for label in labels(svg, "middle") if label != "passes"] == list(shown)


def test_error_bars_reach_as_far_as_the_spread():
    series, spread = {"A": [10.0, 20.0, None]}, {"A": [1.0, None, 3.0]}
    figure = lines([1, 2, 3], series, title="T", spread=spread)
    svg = drawing(figure)
    reach = [one for path in svg.iter(f"{SVG}path") if (one := re.match(r"M[\d.]+ ([\d.]+)V([\d.]+)", path.get("d")))]
    assert len(reach) == 1
    low, high = map(float, reach[0].groups())
    assert (low + high) / 2 == pytest.approx(points(svg)[0][1], abs=0.1) and low > high


def test_long_names_and_numbers_stay_inside_the_picture():
    series = {f"configuration {n}, which has a long name": [1e5 * n, 2e5] for n in range(9)}
    svg = drawing(lines([10_000, 1_000_000], series, title="T"))
    assert float(svg.get("width")) == WIDTH
    for text in svg.iter(f"{SVG}text"):
        x, width = float(text.get("x")), text_width(text.text or "")
        begin = {"start": x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor")]
        assert begin >= 0 and begin + width <= WIDTH + 1, text.text
    strokes = {line.get("style") for line in svg.iter(f"{SVG}polyline")}
    assert len(strokes) == len(series)
