"""The page in a real browser: nothing fetched, nothing run, nothing wider than the window."""

import pandas as pd
import pytest

from discoreport import Report, assess

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(survey, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    hostile = pd.DataFrame({"<img src=x onerror=alert(1)>": ["a", "b", "c"] * 9, "x" * 300: ["<b>", "y", "z"] * 9})
    return {
        "survey": Report(survey).write(folder / "survey.html"),
        "hostile": Report(assess(hostile, hostile, keys=list(hostile.columns[:1]))).write(folder / "hostile.html"),
    }


@pytest.mark.parametrize("width", [1280, 800, 420])
@pytest.mark.parametrize("name", ["survey", "hostile"])
def test_page_holds_together(browser, pages, name, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    requested, said = [], []
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.goto(pages[name].as_uri())
    page.wait_for_timeout(200)
    assert [address for address in requested if not address.startswith("data:")] == [pages[name].as_uri()]
    assert said == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.fonts.check('16px \"IBM Plex Sans\"')")
    page.close()
