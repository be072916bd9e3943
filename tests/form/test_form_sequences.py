"""Random sequences of what people do in a form: nothing is lost, undo is exact, nothing is signed by nobody."""

import datetime
import random
from typing import ClassVar

import pandas as pd
import pytest

from discoreport import Exclusion
from discoreport.errors import DataError, SettingsError
from discoreport.form.model.state import FormState
from tests.forms import read_saved
from tests.records import Answer, ChecklistAnswer, SignOff

N_ACTIONS = 30
FEW, MANY = 8, 500


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sequences")
    original = pd.DataFrame(
        {
            "village": ["Achterbach"] * 40 + ["Zwischenau"] * 12 + ["Hamlet"] * 11,
            "trade": ["Farmer"] * 40 + ["Glassblower"] * 12 + ["Beekeeper"] * 11,
            "ill": ["no"] * 50 + ["yes"] * 13,
            "sex": ["f", "m", "m"] * 21,
        }
    )
    paths = folder / "original.csv", folder / "synthetic.csv"
    original.to_csv(paths[0], index=False)
    original.iloc[2:].to_csv(paths[1], index=False)
    original.iloc[2:].drop(columns=["ill", "sex"]).to_csv(folder / "narrow.csv", index=False)
    original.iloc[3:].to_csv(folder / "other.csv", index=False)
    (folder / "broken.csv").write_text("village,trade\nAchterbach\n")
    return [str(path) for path in paths]


class Clerk:
    """Fills in a form at random, and keeps books of their own on what they did."""

    figures: ClassVar = {}  # by settings, for all clerks: the files are the same

    def __init__(self, files, chance):
        self.chance, self.files = chance, files
        self.state = FormState()
        self.answers, self.checklist, self.title, self.excluded, self.signed, self.names = {}, {}, "", {}, {}, {}
        self.state.choose(files[0], files[1:])
        self.state.take(self.state.choice.open())
        self.state.change(keys=("village",), targets=("trade", "ill"), two_way_threshold=(1, 50.0))
        self.run()

    def run(self):
        settings = self.state.draft.settings()
        known = settings.model_dump_json()
        if known not in self.figures:
            self.figures[known] = self.state.compute()
        self.state.accept(self.figures[known], kept=self.chance.random() < 0.5)

    def flag(self):
        flags = self.state.runs.flags
        return self.chance.choice(flags) if flags else None

    # What they do --------------------------------------------------------------------------------

    def answer(self):
        flag = self.flag()
        if flag is not None and self.state.draft.exclusion_of(flag.case) is None:
            target, level, key, key_level = flag.case
            pair = {} if key is None else {"key": key, "key_level": key_level}
            said = self.chance.choice([True, False, None])
            given = Answer(target=target, level=level, prior_knowledge=said, reason=self.word(), **pair)
            self.state.statements.answer(given)
            self.answers[flag.case] = given

    def exclude(self):
        if self.state.stale:
            self.run()
        flag = self.flag()
        if flag is None:
            return
        rule = flag.exclusion(reason=self.word(), by="A. Officer")
        if self.state.draft.exclusion_of(flag.case) is not None:
            with pytest.raises(SettingsError, match="excluded already"):
                self.state.exclude(rule)
            return
        before = self.all_that_is_said()
        self.state.exclude(rule)
        self.run()
        if flag.case in {one.case for one in self.state.assessment.documentation.answers}:
            assert self.state.assessment.answer(flag).prior_knowledge is True
        if self.chance.random() < 0.5:  # at once
            self.state.include(flag.case)
            self.run()
            assert self.all_that_is_said() == before
        else:
            self.excluded[flag.case] = rule

    def exclude_something_else(self):
        rule = Exclusion(
            target="trade", level="Farmer", key="village", key_level="Hamlet", reason="so", by="B. Officer"
        )
        if "village" in self.state.draft.keys and rule.case not in self.excluded:
            self.state.exclude(rule)
            self.excluded[rule.case] = rule

    def undo(self):
        if self.excluded:
            case = self.chance.choice(list(self.excluded))
            self.state.include(case)
            del self.excluded[case]

    def change_settings(self):
        self.state.change(max_denominator=self.chance.choice([None, 30]), tau=self.chance.choice([(0.9,), (0.5, 0.9)]))

    def change_roles(self):
        self.state.set_role("sex", self.chance.choice(["key", "target", ""]))

    def drop_a_target(self):
        self.state.set_role("ill", self.chance.choice(["", "target"]))

    def go_back(self):
        place = self.chance.randrange(len(self.state.runs.entries))
        now = {**self.excluded}
        self.state.return_to(place)
        settings = self.state.runs.entries[place].run.settings
        elsewhere = [
            case for case in now if case[0] not in settings.targets or (case[2] and case[2] not in settings.keys)
        ]
        self.excluded = {rule.case: rule for rule in settings.exclude} | {case: now[case] for case in elsewhere}
        assert self.state.draft.settings() == settings

    def write(self):
        self.title = self.word()
        self.state.statements.say(title=self.title)

    def tick(self):
        item = self.chance.choice(self.state.statements.policy.checklist).item
        others = [one for one in self.state.statements.documentation.checklist if one.item != item]
        self.checklist[item] = self.chance.choice(["yes", "no"])
        self.state.statements.say(checklist=(*others, ChecklistAnswer(item=item, answer=self.checklist[item])))

    def decide(self):
        if not self.state.stale:
            self.state.decide(decision=self.chance.choice(["approve", "reject"]))
            self.signed[self.place()] = content(self.state.assessment)

    def sign(self):
        if self.state.stale:
            return
        role = self.chance.choice(["preparer", "custodian"])
        others = [one for one in self.state.decision.sign_offs if one.role != role]
        name = self.word()
        new = SignOff(role=role, name=name, date=datetime.date.today(), decision="approve")
        self.state.decide(sign_offs=(*others, new))
        self.signed[name] = content(self.state.assessment)
        self.names.setdefault(self.place(), {})[role] = name

    def comment(self):
        if not self.state.stale:
            entries = [one.model_copy(update={"comment": self.word()}) for one in self.state.decision.sign_offs]
            self.state.decide(sign_offs=tuple(entries))

    def close_and_open(self):
        path, files, by_settings = self.state.autosave.at, self.state.files, self.figures
        before, stale = self.state.saved(), self.state.stale
        self.state = FormState()
        assert self.state.autosave.offered == path
        self.state.restore(path)
        self.state.take(files)
        now = self.state.saved()
        changed = {name: value for name, value in before if getattr(now, name) != value}
        assert changed == {}
        if not stale:
            self.state.accept(by_settings[self.state.draft.settings().model_dump_json()])

    def change_files(self):
        """Read a file that lacks variables, and then the old one again: all is as it was, but for the figures."""
        before, draft = self.state.saved(), self.state.draft
        self.state.choose(self.files[0], [self.files[1].replace("synthetic", "narrow")])
        assert self.state.choice.unread
        self.state.take(self.state.choice.open())
        assert not self.state.choice.unread
        assert {*self.state.draft.keys, *self.state.draft.targets} <= {"village", "trade"}
        assert self.state.assessment is None
        assert not self.state.decision.filled
        self.state.choose(self.files[0], self.files[1:])
        self.state.take(self.state.choice.open())
        assert self.state.draft == draft
        now = self.state.saved()
        assert (now.documentation.scenario, now.runs) == (before.documentation.scenario, before.runs)
        assert now.documentation.decision == before.documentation.decision
        decided = "decided_on", "decided_for", "elsewhere"
        assert [getattr(now, name) for name in decided] == [getattr(before, name) for name in decided]

    def decide_on_other_files(self):
        """Sign figures of other files; decision and signatures on those before come back with them, and no others."""
        draft = self.state.draft
        before = self.state.statements.decision_on(draft.settings())
        self.state.choose(self.files[0], [self.files[1].replace("synthetic", "other")])
        self.state.take(self.state.choice.open())
        assert not self.state.decision.filled
        if self.chance.random() < 0.5:
            known = "other files", self.state.draft.settings().model_dump_json()
            if known not in self.figures:
                self.figures[known] = self.state.compute()
            self.state.accept(self.figures[known], kept=False)
            self.state.decide(decision="reject")
            assert not self.state.assessment.decided_before
        self.state.choose(self.files[0], self.files[1:])
        self.state.take(self.state.choice.open())
        assert self.state.draft == draft
        assert self.state.statements.decision_on(draft.settings()) == before

    def fail_to_read(self):
        before, files = self.state.saved(), self.state.files
        for name in ("broken", "gone"):
            self.state.choose(self.files[0], [self.files[1].replace("synthetic", name)])
            with pytest.raises(DataError):
                self.state.choice.open()
            assert self.state.files is files
        self.state.choose(self.files[0], self.files[1:])
        assert self.state.saved() == before

    def meet_another(self):
        """Somebody else takes the form over, and says something; then this one takes it back."""
        if self.state.autosave.at is None:
            return
        mine, place = self.state.saved(), self.state.autosave.at
        other = FormState()
        other.restore(place)
        other.statements.say(after_release=other.statements.documentation.after_release)
        other.by = "Somebody else"
        other.save_by_itself()
        theirs = read_saved(place)
        self.state.save_by_itself()
        beside = self.state.autosave.at
        assert self.state.autosave.taken == place != beside
        assert said_in(beside) == said_in_form(mine)
        assert read_saved(place) == theirs
        if self.chance.random() < 0.5:
            other.restore(place, look_on=True)
            assert read_saved(place) == theirs
        self.state.take_over()
        assert said_in(place) == said_in_form(mine)
        assert theirs in [read_saved(path) for path in place.parent.glob("*.earlier-*.form.json")]
        assert not beside.exists()

    def back_and_forth(self):
        """Take some changes back, and do them again: all is as before, and every signature as good as before."""

        def now():
            said = self.state.statements
            return self.state.draft, said.documentation, said.policy, said.decided_on, said.elsewhere

        taken = [now()]
        while self.state.changes.undoes and len(taken) < 5:
            self.state.undo()
            taken.append(now())
        for before in reversed(taken[:-1]):
            self.state.redo()
            assert now() == before

    def place(self):
        return self.state.draft.settings().model_dump_json()

    def word(self):
        return f"word {self.chance.randrange(10**6)}"

    # What must hold ------------------------------------------------------------------------------

    def all_that_is_said(self):
        reported = self.state.assessment.documentation.model_copy(update={"history": ()})
        return self.state.statements.documentation, self.state.draft, reported, self.state.decision

    def check(self):
        said, draft = self.state.statements.documentation, self.state.draft
        assert {one.case: one for one in said.answers} == self.answers
        assert {one.item: one.answer for one in said.checklist} == self.checklist
        assert said.title == self.title
        assert {rule.case: rule for rule in draft.exclude} == self.excluded
        assessment = self.state.assessment
        if self.state.stale or assessment is None:
            return
        in_force = {rule.case for rule in assessment.settings.exclude}
        assert not [one for one in assessment.documentation.answers if one.action and one.case not in in_force]
        now = content(assessment)
        decision, before = assessment.documentation.decision, assessment.signed_before
        for one in decision.sign_offs:
            assert (one in before) == (self.signed[one.name] != now), "signed what was not signed"
        if decision.decision:
            assert assessment.decided_before == (self.signed[self.place()] != now)
        assert {one.role: one.name for one in decision.sign_offs} == self.names.get(self.place(), {})
        assert bool(decision.decision) == (self.place() in self.signed)

    def work(self):
        actions = (
            self.answer, self.answer, self.exclude, self.exclude, self.exclude_something_else, self.undo,
            self.change_settings, self.change_roles, self.drop_a_target, self.go_back, self.write, self.tick,
            self.decide, self.sign, self.sign, self.comment, self.comment, self.write,
            self.run, self.run, self.run, self.close_and_open, self.change_files, self.decide_on_other_files,
            self.fail_to_read, self.meet_another,
            self.back_and_forth, self.back_and_forth,
        )  # fmt: skip
        done = []
        for _ in range(N_ACTIONS):
            action = self.chance.choice(actions)
            done.append(action.__name__)
            try:
                action()
                self.check()
            except AssertionError as error:
                raise AssertionError(f"after {', '.join(done)}") from error


def said_in_form(saved):
    return saved.model_copy(update={"held": None})


def said_in(path):
    return said_in_form(read_saved(path))


def content(assessment):
    """All that a signature is on."""
    parts = assessment.model_dump(
        include={"settings", "outcome", "outcome_without_exclusions", "policy", "documentation", "variables"}
    )
    for name in ("decision", "status", "history"):
        del parts["documentation"][name]
    parts["documentation"]["answers"] = sorted(map(str, parts["documentation"]["answers"]))
    parts["documentation"]["checklist"] = sorted(map(str, parts["documentation"]["checklist"]))
    return parts


def sequence(files, folder, monkeypatch, seed):
    folder.mkdir()
    monkeypatch.chdir(folder)
    Clerk(files, random.Random(seed)).work()


@pytest.mark.slow
def test_whatever_is_done_is_neither_lost_nor_signed_by_anybody_else(files, tmp_path, monkeypatch):
    for seed in range(FEW):
        sequence(files, tmp_path / str(seed), monkeypatch, seed)


@pytest.mark.generated
def test_whatever_is_done_many_times_over_is_neither_lost_nor_signed_by_anybody_else(files, tmp_path, monkeypatch):
    for seed in range(FEW, MANY):
        sequence(files, tmp_path / str(seed), monkeypatch, seed)
