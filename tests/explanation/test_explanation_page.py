"""The page of explanations as Chromium shows it: a click on an arc shows its reasons, and only those."""

import shutil

import pytest
from pages import Tags

import headway
from headway.data.sample import generate
from headway.stages.explanation.page import explanation_page

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def explanations():
    parser = headway.train(generate(60), passes=2)
    return [parser.explain(sentence) for sentence in generate(2, seed=3)]


def test_every_arc_leads_to_its_reasons(explanations):
    page = explanation_page(explanations)
    Tags(page)
    for number, explanation in enumerate(explanations, 1):
        for word in range(1, len(explanation.sentence) + 1):
            assert page.count(f'href="#why-{number}-{word}"') == 2
            assert page.count(f'id="why-{number}-{word}"') == 1


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_a_click_on_an_arc_shows_its_reasons(explanations):
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_content(explanation_page(explanations))
        assert page.locator(".why:visible").count() == 0
        for word in (2, 1):
            page.locator(f'svg a[href="#why-1-{word}"] text').click()
            shown = page.locator(".why:visible")
            assert shown.count() == 1
            assert shown.inner_text().strip().startswith(explanations[0].text(5, word).split("\n")[0])
        assert "over" in page.locator(".why:visible").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        browser.close()
