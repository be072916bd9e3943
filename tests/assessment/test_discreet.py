"""Words that are for everybody: what must stay inside is found however it is written, and honest words are not."""

import unicodedata

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discoreport import Documentation, Report, assess, examples, read_documentation, read_policy
from discoreport.errors import SettingsError
from tests.strategies import often

FULL_WIDTH = str.maketrans({**{str(n): chr(0xFF10 + n) for n in range(10)}, ".": "．", "%": "％"})
ARABIC = str.maketrans({**{str(n): chr(0x660 + n) for n in range(10)}, ".": "٫", "%": "٪"})
SEED = "314159"


def refused(assessment, text):
    """Tell what the refusal of a title says; None where there is none."""
    said = assessment.documentation.model_copy(update={"title": text})
    try:
        Report(assessment.with_documentation(said), edition="external")
    except SettingsError as error:
        return str(error)
    return None


@pytest.fixture(scope="module")
def ninety():
    """Three hundred records, DiSCO and DiS of exactly 90 %; no other figure but 0, 1.3, 81 and 100 or so."""
    original = pd.DataFrame({"area": ["a"] * 270 + ["b"] * 30, "ill": ["Café worker"] * 270 + ["x", "y"] * 15})
    synthetic = pd.DataFrame({"area": ["a"] * 270 + ["b"] * 30, "ill": ["Café worker"] * 270 + ["x", "y"] * 15})
    said = Documentation.model_validate({"synthesis": {"seed": SEED}})
    assessment = assess(original, synthetic, keys=["area"]).with_documentation(said)
    assert assessment.value("DiSCO", "ill") == 90.0
    assert any(flag.level == "Café worker" for flag in assessment.outcome.one_way)
    return assessment


@pytest.mark.parametrize(
    "text",
    [
        "DiSCO is 90.0", "DiSCO: 0.900", "disco about 90", "DISCO = ninety", "90 is the DiSCO", "SyntheticDiSCO90",
        "max denom 12", "TCAP_s 3", "the iS is 12", "repU of zero", "replicated uniques: 12", "Di\u200bSCO 9\u00ad0",
        "90.0 pct", "90.0 %", "90.00%", "90.0 per cent", "90.0 percent", "a 90.0-percent share", "90,0 %", "90·0 %",
        "90.0 percentage points", "**90.0** %", "(90.0) %", "percent: 90.0", "in % 90.0", "ninety point zero percent",
        "90.0 %".translate(FULL_WIDTH), "90.0 %".translate(ARABIC), "9\u200b0.0\u00a0\u2060%",
        "900 ‰", "900 per mille", "900 per thousand", "9000 ‱", "9,000 basis points", "0.900", ".900", "0,900",
        "270 of 300 records", "270 out of 300", "270/300", "270 in 300", "270 records of the 300", "900 of 1,000",
        "two hundred and seventy of three hundred records", "4,500 of 5 000 records",
        "DіSCO is 12", "DiSCΟ is 12", "D\u0456\u0301SCO 12", "ТСАР: 12", "the іЅ is 12", "rерU of zero",
        "90.0 pеr cеnt",
    ],
)  # fmt: skip
def test_a_figure_is_found_in_whatever_way_it_is_written(ninety, text):
    assert "holds a measured figure" in (refused(ninety, text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "a sample of 90 %", "90 per cent of students", "nine in ten", "9 of 10", "3 of 4 areas", "20 out of 30 towns",
        "5,000 records", "300 records", "300 records in 2 variables, DiSCO was looked at", "Survey 2026", "Survey 1990",
        "2026-11-20", "20 November 2026", "November 20, 2026", "90.1.0", "Version 0.90", "synthpop 1.9-3 in R 4.5",
        "epsilon 0.900", "ε = 1.25, δ = 0.900", "DPIA 2026/31", "NM-2026-014", "12:30", "0123 456 789", "ISO 27001",
        "DiSCO and repU were looked at (Raab, Nowok and Dibben 2025).", "DiSCO as of 2026-11-20, version 0.1.0",
        "Section 2 defines DiSCO. A sample of 10 % was drawn.", "doi 10.1016/j.patter.2025.101320", "disco of 1979",
        "between 10 and 20 areas", "one of two files", "It is 90", "She caps 90", "Café workshop", "café",
        "Оценка раскрытия: 12 переменных, 300 записей", "Росстат, отдел 12, САНКТ-ПЕТЕРБУРГ 90", "ρ = 0.900, α 0.900",
        "Ελληνική Στατιστική Αρχή: 12 μεταβλητές, τμήμα 90", "ΟΙ ΤΙΜΕΣ ΤΟΥ 12ΟΥ ΤΟΜΕΑ", "Сarė 12",
        "A discovery of 12 things", "thirty students", "Seeds of change, 12 kinds", "314 records", "314,160",
    ],
)  # fmt: skip
def test_honest_words_are_for_everybody(ninety, text):
    assert refused(ninety, text) is None


@pytest.mark.parametrize(
    "text", ["Café worker", "cafe\u0301 WORKERS", "Caf\u00e9\u00ad wor\u00adker", "CAFE-WORKER'S", "Саfé wоrkеr"]
)
def test_a_level_is_found_decomposed_in_plural_and_with_soft_hyphens(ninety, text):
    assert "holds a level" in (refused(ninety, f"About every {text}.") or "")


@pytest.mark.parametrize(
    ("seed", "text"),
    [
        ("7", "the seed was 7"), ("7", "seed=7"), ("7", "7 was the seed"), ("7", "set.seed(7)"), ("7", "seed is seven"),
        (SEED, "314 159"), (SEED, "314,159"), (SEED, "made with 314'159"), (SEED, "31 41 59"), ("2026", "seed 2026"),
        (SEED, SEED.translate(FULL_WIDTH)), ("abc-12", "ABC 12 was used"), (SEED, "314\u00ad159"),
    ],
)  # fmt: skip
def test_a_seed_is_found_however_it_is_grouped(ninety, seed, text):
    said = Documentation.model_validate({"synthesis": {"seed": seed}})
    assert "holds the seed" in (refused(ninety.with_documentation(said), text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "seed 2 718 281", "seed: 2.718.281", "2 718 281", "2\u202f718\u202f281", "2'718'281", "2.718.281 was used",
        "seed of two million seven hundred and eighteen thousand two hundred and eighty-one",
        "seed two seven one eight two eight one", "2-718-281 started it",
    ],
)  # fmt: skip
def test_a_seed_of_millions_is_found_with_whatever_separates_its_digits(ninety, text):
    said = Documentation.model_validate({"synthesis": {"seed": "2718281"}})
    assert "holds the seed" in (refused(ninety.with_documentation(said), text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "651 people", "six hundred and fifty-one people", "Six hundred fifty-one records", "651 of the people",
        "651 unique persons", "the 651 respondents concerned", "of 651\u00a0records", "651-record overlap",
        "651 were found to be unique", "could be identified: 651", "2,689 people", "2 689 persons", "2.689 records",
        "two thousand six hundred and eighty-nine records", "56 copies", "56 synthetic records",
        "13 % can be singled out", "thirteen per cent of them are unique", "0.13 of them can be recognised",
        "13 in 100 could be recognised", "14 of 328", "14 of the 328 unemployed", "4.3 % of the unemployed",
        "697/1,227", "four point three per cent", "697 out of 1 227",
        "one hundred and eleven of two hundred and forty", "697 people", "25 can be recognised", "46.2 percent",
    ],
)  # fmt: skip
def test_a_count_of_records_that_was_measured_is_found_with_what_it_counts(survey, text):
    assert "holds a measured figure" in (refused(survey, text) or "")


@pytest.mark.parametrize(
    "text",
    [
        "Survey 2025 of 5,000 records in 11 variables", "650 people", "5,000 people", "Room 651", "651 Main Street",
        "Collected from 3 March to 30 June 2025", "Nobody can be identified since 2026-11-20", "13 variables, 4 waves",
        "About 120 participants", "a sample of 13 %", "Law 56/2018, article 13", "56 municipalities", "phone 651 2689",
        "Up to 25 people a course", "27 of 90 schools took part", "14 of 32 courses", "one in ten courses",
        "Teaching by age, sex and region", "Keys to understanding: a course", "The key figures are those of the office",
        "Ages are whole years; regions are those of 2025.",
    ],
)  # fmt: skip
def test_numbers_and_names_that_tell_nothing_measured_are_for_everybody(survey, text):
    assert refused(survey, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "The keys were sex and age", "Sex, age and region were taken as keys", "An intruder who knows the settlement",
        "quasi-identifiers: REGION", "as key: settle\u00adment", "Attackers may know ages", "Key: Régiön",
        "Whoever knows sex and age finds people",
    ],
)  # fmt: skip
def test_the_name_of_a_key_is_found_where_keys_or_intruders_are_spoken_of(survey, text):
    assert "holds the name of a key" in (refused(survey, text) or "")


def test_the_label_that_people_give_a_key_is_found(survey):
    said = survey.with_documentation(Documentation.model_validate({"labels": {"age": "Years of life"}}))
    assert "holds the name of a key" in (refused(said, "Keys: years of life") or "")


@pytest.mark.parametrize(
    ("seed", "text"), [("2026", "Survey 2026"), ("7", "7 files"), ("123", "123 records"), ("1", "1")]
)
def test_a_number_that_tells_no_seed_is_for_everybody(ninety, seed, text):
    said = Documentation.model_validate({"synthesis": {"seed": seed}})
    assert refused(ninety.with_documentation(said), text) is None


@pytest.fixture(scope="module")
def survey():
    said = read_documentation(examples.FOLDER / "documentation.toml")
    policy = read_policy(examples.FOLDER / "policy.toml")
    files = examples.path("original"), examples.path("synthetic_1")
    return assess(*files, **examples.SETTINGS).with_policy(policy).with_documentation(said)


def _spread(text):
    """Put what can't be seen between the signs of a text, and decompose it."""
    return "\u200b".join(unicodedata.normalize("NFD", text))


WAYS = {
    "percent": lambda v, d: f"{v:.{d}f} %",
    "comma": lambda v, d: f"{v:.{d}f}".replace(".", ",") + "%",
    "pct": lambda v, d: f"is {v:.{d}f} pct of all",
    "per mille": lambda v, d: f"{10 * v:.{d - 1}f} ‰",
    "per thousand": lambda v, d: f"{10 * v:.{d - 1}f} per thousand",
    "basis points": lambda v, d: f"{100 * v:.{d}f} basis points",
    "fraction": lambda v, d: f"{v / 100:.{d + 2}f}" if v < 99.9 else f"{v:.{d}f} %",
    "full width": lambda v, d: f"{v:.{d}f} %".translate(FULL_WIDTH),
    "arabic": lambda v, d: f"{v:.{d}f} %".translate(ARABIC),
    "spread": lambda v, d: _spread(f"{v:.{d}f} %"),
    "count": lambda v, d: f"{round(v * 50):,} of 5,000 records",
    "slash": lambda v, d: f"{round(v * 50)}/5000",
    "measure": lambda v, d: f"DiSCO was {v:.0f}",
}


@often
@given(st.data(), st.sampled_from(sorted(WAYS)), st.integers(1, 4), st.sampled_from(["", "It is ", "Only (", "x: "]))
def test_no_measured_figure_gets_out_in_any_way_of_writing(survey, data, way, decimals, before):
    measured = [one.values[name] for one in survey.outcome.results for name in ("DiSCO", "DiS", "Dorig", "DCAP_d")]
    value = data.draw(st.sampled_from([value for value in measured if value and value >= 0.1]))
    assert "holds a measured figure" in (refused(survey, before + WAYS[way](value, decimals)) or "")


HONEST = st.one_of(
    st.dates().map(str),
    st.dates().map(lambda day: f"released on {day.day} {day:%B %Y}"),
    st.integers(10**4, 10**7).map(lambda n: f"{n:,} records"),
    st.integers(1, 100).map(lambda n: f"a sample of {n} %"),
    st.tuples(st.integers(0, 9), st.integers(0, 30), st.integers(0, 30)).map(lambda v: "version {}.{}.{}".format(*v)),
    st.tuples(st.integers(1, 99), st.integers(1, 99)).map(lambda n: f"{min(n)} of {max(n)} districts"),
    st.integers(1900, 2099).map(lambda year: f"Household survey {year}"),
)


@often
@given(HONEST)
def test_no_ordinary_words_are_refused(survey, text):
    assert refused(survey, text) is None


def test_the_example_has_an_external_edition_with_its_own_words(survey):
    assert survey.documentation.title in Report(survey, edition="external").html


@pytest.mark.parametrize("name", ["DiSCO_90.0", "synthetic 90.0 %", "syn_90_0pct", "risk_90.0", "every_cafe_worker"])
def test_the_name_of_a_synthetic_file_tells_nothing(ninety, name):
    (file,) = ninety.synthetic
    named = ninety.model_copy(update={"synthetic": (file.model_copy(update={"name": f"{name}.csv"}),)})
    with pytest.raises(SettingsError, match="the name of synthetic file 1 holds"):
        Report(named, edition="external")


@pytest.mark.parametrize("name", ["synthetic_1", "survey_2026_v1.2", "survey 1.2", "release_2026-11-20", "syn90"])
def test_an_ordinary_file_name_is_for_everybody(ninety, name):
    (file,) = ninety.synthetic
    named = ninety.model_copy(update={"synthetic": (file.model_copy(update={"name": f"{name}.csv"}),)})
    Report(named, edition="external")


@pytest.mark.parametrize("field", ["organisation", "name", "version", "external_marking"])
def test_what_the_policy_says_outside_tells_nothing(ninety, field):
    policy = ninety.policy.model_copy(update={field: "DiSCO 90"})
    with pytest.raises(SettingsError, match=f"the policy's {field} holds a measured figure"):
        Report(ninety.with_policy(policy), edition="external")


def test_the_label_of_a_variable_tells_nothing(ninety):
    variables = tuple(one.model_copy(update={"label": "90.0 % are known"}) for one in ninety.variables)
    with pytest.raises(SettingsError, match="the label of variable 'area' holds a measured figure"):
        Report(ninety.model_copy(update={"variables": variables}), edition="external")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "<p>Of all, 90.<b>0</b> % are known.</p>", '<img alt="90.0 %" src="data:,">', "<p>DiSCO: {{ 45 + 45 }}</p>",
        '<style>p::after { content: "90.0 pct" }</style>', f"<p>Seed {SEED}</p>", "<h2>Every café worker</h2>",
    ],
)  # fmt: skip
def test_templates_of_an_organisation_tell_nothing(ninety, tmp_path, words):
    (tmp_path / "external").mkdir()
    (tmp_path / "external" / "synthesis.html").write_text(words)
    with pytest.raises(SettingsError, match="the page of these templates holds"):
        _ = Report(ninety, edition="external", templates=tmp_path).html
    assert Report(ninety, templates=tmp_path).html


def test_templates_of_an_organisation_may_say_what_is_for_everybody(ninety, tmp_path):
    (tmp_path / "external").mkdir()
    words = "<p style='width: 90.0%'>Made in 2026 from a sample of 90 %. {{ report.m }} file.</p>"
    (tmp_path / "external" / "synthesis.html").write_text(words)
    assert "Made in 2026" in Report(ninety, edition="external", templates=tmp_path).html


def test_a_column_that_only_the_original_has_is_not_named_outside(ninety):
    original = pd.DataFrame({"area": ["a", "b"] * 30, "ill": ["x", "y"] * 30, "secret_diagnosis": ["q"] * 60})
    assessment = assess(original, original.drop(columns="secret_diagnosis"), keys=["area"])
    assert any(one.variable == "secret_diagnosis" for one in assessment.findings)
    report = Report(assessment, edition="external")
    assert "secret_diagnosis" not in report.html + report.record.decode() + str(report.tables)


@pytest.mark.filterwarnings("ignore::discoreport.ComparisonWarning")
def test_counts_and_shares_of_units_are_not_for_everybody():
    random = pd.Series(range(600)).sample(frac=1, random_state=1).to_numpy()
    frame = pd.DataFrame({"home": [one // 2 for one in range(600)], "age": random % 37})
    found = assess(frame, frame.assign(home=frame["home"] + 5000).iloc[:402], keys="age", targets=[], unit="home")
    units, risk = found.whole_records[0].units, found.outcome.units[0]
    for told in (
        f"{units.unique_original_units} of the households are copies.",
        f"{risk.unique_in_both} households are unique.",
        f"{risk.percent:.0f} % of the households are unique.",
    ):
        said = Documentation.model_validate({"uses": {"suitable": told}})
        with pytest.raises(SettingsError):
            _ = Report(found.with_documentation(said), edition="external").html
