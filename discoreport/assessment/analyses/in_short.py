"""Each analysis of an assessment in one line of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from discoreport.assessment.documented import Documented
from discoreport.assessment.writing import counted, percent, percentage, points


def in_short(assessment: Documented) -> Iterator[str]:
    """Say what each analysis that was run has found; names variables, never a level."""
    parts = (
        _sensitivity,
        _control,
        _uncertainty,
        _groups,
        _release_size,
        _releases,
        _four_checks,
        _mitigation,
        _trade_off,
    )
    for part in parts:
        yield from part(assessment)


def _sensitivity(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.sensitivity
    if found and found.complete and "repU" in found.measures:
        shares = found.shapley("repU").dropna().sort_values("share", ascending=False)
        whole = percentage(found.value("repU", found.candidates))
        for key, share in shares.head(1).itertuples(index=False):
            further = " with the further candidates" if len(found.candidates) > len(found.settings.keys) else ""
            yield f"Sensitivity: {key} adds most to repU, {points(share)} of {whole} percentage points{further}"


def _control(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.control
    excesses = found.largest() if found else []
    for one in excesses[:1]:
        n_above = sum(other.low is not None and other.low > 0 for other in excesses)
        doubt = " (in doubt: see the warnings about the control)" if found and found.findings else ""
        yield (
            f"Control{doubt}: the greatest excess is {points(one.excess)} percentage points of DiSCO, of {one.target}; "
            f"the interval is above 0 for {n_above} of {counted(len(excesses), 'target')}"
        )


def _uncertainty(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.uncertainty
    intervals = found.of_targets("records", census=assessment.is_census) if found else {}
    for one in sorted(intervals.values(), key=lambda one: -(one.value or 0.0))[:1]:
        interval = f"{points(one.low)} to {points(one.high)}"
        yield f"Uncertainty: DiSCO of {one.target} {percent(one.value)}, interval {interval} over records"


def _groups(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.groups
    if found:
        exposed = {one.place for one in found.fully_exposed}
        yield f"Groups: {counted(len(exposed), 'group')} fully exposed"


def _release_size(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.release_size
    if found and found.sizes:
        measure, target = found.decisive(assessment)
        sizes = sorted({found.n_records[0], found.n_records[-1]})
        told = ", ".join(f"{percent(found.value(measure, size, target))} with {size:,}" for size in sizes)
        yield f"Release size: {_named(measure, target)} {told} records"


def _releases(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.releases
    if found:
        measure, target = found.decisive(assessment)
        names = found.by_risk(assessment)
        told = ", ".join(f"{name} {percent(found.value(measure, name, target))}" for name in names)
        yield f"Releases: {_named(measure, target)}: {told}"


def _named(measure: str, target: str | None) -> str:
    return measure if target is None else f"{measure} of {target}"


def _four_checks(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.four_checks
    if found:
        yield f"Four checks: {len(found.open)} of {counted(len(found.items), 'question')} on the files need a look"


def _mitigation(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.mitigation
    for one in [one for one in found.figures if one.measure == "repU"][:1] if found else ():
        led = found is not None and any(found.led_to(file) for file in assessment.synthetic)
        what = "Changes made" if led else "Changes tried"
        yield f"{what}: repU from {percent(one.before)} to {percent(one.after)}"


def _trade_off(assessment: Documented) -> Iterator[str]:
    found = assessment.analyses.trade_off
    if found:
        n_efficient = sum(one.efficient for one in found.choices)
        combinations = counted(len(found.choices), "combination")
        yield f"Trade-off: {n_efficient} of {combinations} of steps are beaten by no other"
