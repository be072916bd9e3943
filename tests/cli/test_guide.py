"""The guide that comes with the package: topics, pages, and all of it as one page."""

import html
import re
from urllib.parse import unquote

import pytest

import discoreport
from tests.commands import run
from tests.documents import FOLDER, TITLE, TOPICS, for_terminal, guide, pages


@pytest.fixture(scope="module")
def whole():
    """Give the guide as one page."""
    return guide.as_html()


def test_every_page_is_a_topic_with_a_line_of_its_own():
    assert {path.stem for path in FOLDER.glob("*.md")} == {topic for topic, page in pages().items() if page.path}
    assert tuple(pages()) == TOPICS
    assert (
        len({page.about for page in pages().values()}) == len({page.title for page in pages().values()}) == len(TOPICS)
    )


def test_topics_are_listed_with_a_line_each(capsys):
    assert run("guide") == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0].strip() for line in shown[: len(TOPICS)]] == list(TOPICS)
    assert all(line.endswith(page.about) for line, page in zip(shown, pages().values(), strict=False))


@pytest.mark.parametrize("topic", TOPICS)
def test_a_page_is_printed_with_links_in_words(topic, capsys):
    assert run("guide", topic) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"# {pages()[topic].title}")
    assert not re.search(r"\]\((?!https?:)", shown)
    assert "\ufffd" not in shown


def test_a_link_to_a_page_names_the_command_that_shows_it():
    assert (
        for_terminal("see [codes](exit-codes.md) and [a](../b.toml)")
        == "see codes (discoreport guide exit-codes) and a"
    )


def test_a_terminal_gets_a_page_laid_out(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    assert run("guide", "exit-codes") == 0
    shown = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert "Exit codes" in shown
    assert "|---|" not in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_a_mistyped_topic_is_told_in_one_line_with_the_nearest_name(capsys):
    with pytest.raises(SystemExit) as stopped:
        run("guide", "nubmers")
    assert stopped.value.code == 2
    said = capsys.readouterr().err
    assert "Did you mean 'numbers'?" in said
    assert said.count("\n") == 1


def test_a_topic_beside_html_is_refused(tmp_path, capsys):
    assert run("guide", "numbers", "--html", tmp_path / "guide.html") == 2
    assert "leave the topic out" in capsys.readouterr().err
    assert not (tmp_path / "guide.html").exists()


def test_the_page_takes_no_place_of_another_file(tmp_path):
    assert run("guide", "--html", tmp_path / "guide.html") == 0
    page = (tmp_path / "guide.html").read_bytes()
    (tmp_path / "guide.html").write_bytes(b"mine")
    assert run("guide", "--html", tmp_path / "guide.html") != 0
    assert (tmp_path / "guide.html").read_bytes() == b"mine" != page


def test_the_reference_has_every_public_name_with_its_arguments_and_no_addresses_of_objects():
    text = pages()["reference"].text
    for name in discoreport.__all__:
        assert f"\n## {name}\n" in text
    assert "    keys: Sequence[str] | str,\n" in text
    assert "- `with_policy`: Give the same assessment under another policy." in text
    assert "- `keys`: variables that an intruder may know" in text
    assert "model_dump" not in text
    assert " at 0x" not in text


@pytest.mark.slow
def test_one_page_has_all_of_them_with_their_pictures_and_fetches_nothing(whole):
    text = html.unescape(re.sub(r"<[^>]+>", "", whole))
    assert TITLE in text
    assert all(page.title in text for page in pages().values())
    assert whole.count("<img") == len(list(FOLDER.glob("*.png")))
    assert "not part of the notebook" not in text
    assert not re.search(r"""(?:src|url\()\s*=?\s*["']?(?!data:|#)\w+:""", whole)
    assert "<script" not in whole


@pytest.mark.slow
def test_links_within_the_page_lead_to_headings(whole):
    led = {html.unescape(one) for one in re.findall(r'href="#([^"]+)"', whole)}
    assert "Exit-codes" in led
    assert "<a>" not in whole.replace(' rel="noreferrer"', "")
    assert {unquote(one) for one in led} <= {html.unescape(one) for one in re.findall(r'id="([^"]+)"', whole)}
