"""The form's own page as people meet it who hear it, or who use the keyboard alone; in both themes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import environment

pytestmark = pytest.mark.browser

STEPS = ("Data", "Scenario", "Settings", "Results", "Flags", "Questions", "Report")
FOCUS = "document.activeElement.innerText || document.activeElement.tagName"


@pytest.fixture(params=["light", "dark"])
def page(browser, request, tmp_path):
    pytest.importorskip("voila")
    command = [sys.executable, "-m", "discoreport", "form", "--no-browser", "--theme", request.param]
    started = subprocess.Popen(
        command, cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    context = browser.new_context(viewport={"width": 1300, "height": 1000}, bypass_csp=True)  # axe is put into the page
    try:
        opened = context.new_page()
        opened.set_default_timeout(90_000)
        opened.goto(re.search(r"http://\S+", started.stdout.readline())[0])
        opened.wait_for_selector(".discoreport .d-steps button[aria-current]")
        yield opened
    finally:
        context.close()
        started.terminate()
        started.wait(20)
        started.stdout.close()


def press(page, label):
    page.locator(f".discoreport button:visible:has-text('{label}')").first.click()


def step(page, name):
    page.locator(f".discoreport .d-steps button:has-text('{name}')").click()
    page.wait_for_selector(f".discoreport .d-steps button[aria-current=step]:has-text('{name}')")
    page.wait_for_timeout(700)


def violations(page):
    axe = pytest.importorskip("axe_playwright_python")
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"]][:5]) for one in found]


def test_axe_finds_nothing_in_any_step_and_states_are_told(page):
    assert violations(page) == []
    press(page, "Try it with the example survey")
    page.wait_for_selector("text=No warnings")
    press(page, "Go on to the scenario")
    press(page, "Take the suggested keys")
    page.wait_for_selector("text=3,128 distinct combinations")
    role = page.locator(".discoreport .d-variable .widget-toggle-buttons").first
    assert role.get_attribute("aria-label") == "Role of sex"
    role.locator("button[aria-pressed=true]", has_text=re.compile("^Key$")).wait_for()
    assert role.locator("button[aria-pressed=true]").count() == 1
    step(page, "Settings")
    press(page, "Take the proposed groups")
    step(page, "Results")
    press(page, "Run the assessment")
    page.wait_for_selector(".discoreport .d-figure svg")
    for name in STEPS:
        step(page, name)
        assert page.locator("[aria-current=step]").count() == 1
        assert violations(page) == [], name
    fold = page.locator(".discoreport .d-fold:visible").nth(2)
    assert fold.get_attribute("aria-expanded") == "false"
    for place in range(page.locator(".discoreport .d-fold:visible").count()):
        page.locator(".discoreport .d-fold:visible").nth(place).click()
    page.wait_for_timeout(1500)
    assert fold.get_attribute("aria-expanded") == "true"
    assert violations(page) == []
    assert page.locator("h1").count() == 1
    for viewer in ("second checker", "custodian"):
        page.get_by_label("Open as", exact=True).select_option(viewer)
        page.wait_for_selector("text=Fingerprint")
        page.wait_for_timeout(1500)
        assert violations(page) == [], viewer
    page.reload()
    page.wait_for_selector("text=There is an earlier form")
    page.wait_for_timeout(1000)
    assert violations(page) == []


@pytest.mark.fast_cases(1)
def test_focus_stays_where_it_was_and_meanings_open_by_keyboard(page):
    press(page, "Try it with the example survey")
    page.wait_for_selector("text=No warnings")
    press(page, "Go on to the scenario")
    press(page, "Take the suggested keys")
    page.wait_for_selector("text=3,128 distinct combinations")
    step(page, "Results")
    page.locator(".discoreport button:visible:has-text('Run the assessment')").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".discoreport .d-figure svg")
    page.wait_for_function(f"({FOCUS}).startsWith('Run the assessment')")
    page.get_by_label("What is DiSCO?").locator("visible=true").first.focus()
    page.keyboard.press("Enter")
    meaning = page.locator("#d-term-DiSCO")
    assert meaning.is_visible()
    page.keyboard.press("Escape")
    assert meaning.is_hidden()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "What is DiSCO?"
    step(page, "Flags")
    page.get_by_label("Your name", exact=True).fill("A. Officer")
    page.locator(".discoreport .d-card textarea:visible").first.fill("Nine in ten have never worked abroad.")
    exclude = page.locator(".discoreport .d-card button:visible:has-text('Exclude it')").first
    exclude.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Excluded by A. Officer")
    page.wait_for_timeout(1500)
    assert page.evaluate(FOCUS) != "BODY"
