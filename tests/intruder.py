"""An intruder with pencil and paper: every measure counted record by record, with dicts and loops alone."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

REASONS = ("excluded_level", "missing_target", "missing_key", "excluded_pair", "over_denominator")
NOT_A_NUMBER = float("nan")
IDENTITY = ("UiO", "UiS", "UiOiS", "repU")
"""The measures of the keys alone."""


@dataclass
class Rules:
    """What the intruder is told not to count; a missing value is None."""

    levels: set = field(default_factory=set)
    pairs: set = field(default_factory=set)  # (target level, key, key level)
    without_missing_keys: set = field(default_factory=set)
    without_missing_target: bool = False
    max_denominator: int | None = None
    one_way_threshold: tuple = (50, 90)
    two_way_threshold: tuple = (4, 80)


class File:
    """One file as the intruder sees it: who shares whose keys, and which records are left."""

    def __init__(self, records, keys, target, rules):
        self.keys, self.target, self.rules = keys, target, rules
        self.records = [(tuple(record[key] for key in keys), record[target]) for record in records]
        self.alike = Counter(self.records)
        self.targets_of = defaultdict(set)
        for q, t in self.records:
            self.targets_of[q].add(t)
        self.reasons = [self.reason(q, t) for q, t in self.records]
        self.left = [record for record, reason in zip(self.records, self.reasons, strict=True) if reason is None]
        self.n_left = Counter(q for q, _ in self.left)
        self.n_alike_left = Counter(self.left)

    def reason(self, q, t):
        level_of = dict(zip(self.keys, q, strict=True))
        if t in self.rules.levels:
            return "excluded_level"
        if t is None and self.rules.without_missing_target:
            return "missing_target"
        if any(level_of[key] is None for key in self.rules.without_missing_keys):
            return "missing_key"
        if any((t, key, level_of[key]) in self.rules.pairs for key in self.keys):
            return "excluded_pair"
        if self.rules.max_denominator is not None and self.alike[(q, t)] > self.rules.max_denominator:
            return "over_denominator"
        return None

    def knows(self, q):
        return q in self.targets_of

    def is_certain_of_anything(self, q):
        return len(self.targets_of.get(q, ())) == 1

    def is_certain_of(self, q, t):
        return self.targets_of.get(q) == {t}

    def certainty(self, q, t):
        """Share of the full file's records with keys q that have the target level t."""
        n = sum(1 for other, _ in self.records if other == q)
        return Fraction(self.alike[(q, t)], n) if n else Fraction(0)

    def certainty_left(self, q, t):
        return Fraction(self.n_alike_left[(q, t)], self.n_left[q]) if self.n_left[q] else Fraction(0)


def percent(part, whole):
    return float(100 * Fraction(part) / whole) if whole else NOT_A_NUMBER


def count(records, condition):
    return sum(1 for q, t in records if condition(q, t))


def class_sizes(records, keys, without_missing_keys):
    """For each size of a crowd with the same keys: how many crowds there are, and how many people stand in them."""
    crowds = Counter()
    for record in records:
        if not any(record[key] is None for key in without_missing_keys):
            crowds[tuple(record[key] for key in keys)] += 1
    names = {1: "1", 2: "2", 3: "3 to 4", 4: "3 to 4", **dict.fromkeys(range(5, 10), "5 to 9")}
    names |= {**dict.fromkeys(range(10, 20), "10 to 19"), **dict.fromkeys(range(20, 50), "20 to 49")}
    found = dict.fromkeys([*names.values(), "50 and more"], (0, 0))
    for crowd in crowds.values():
        name = names.get(crowd, "50 and more")
        n_crowds, n_people = found[name]
        found[name] = (n_crowds + 1, n_people + crowd)
    return found


class Attack:
    """One original, one synthetic file, one target."""

    def __init__(self, original, synthetic, keys, target, rules):
        self.files, self.keys, self.rules = (original, synthetic, keys, target), keys, rules
        self.d = File(original, keys, target, rules)
        self.s = File(synthetic, keys, target, rules)

    def disclosed(self, q, t):
        return self.s.is_certain_of(q, t)

    def tables(self):
        """For each table of records: whose records they are, and which of them belong to it."""
        d, s = self.d, self.s
        return {
            "original": (d, lambda q, t: True),
            "synthetic": (s, lambda q, t: True),
            "Dorig": (d, d.is_certain_of),
            "Dsyn": (s, s.is_certain_of),
            "iS": (d, lambda q, t: s.knows(q)),
            "DiS": (d, lambda q, t: s.is_certain_of_anything(q)),
            "DiSCO": (d, s.is_certain_of),
            "DiSDiO": (d, lambda q, t: s.is_certain_of(q, t) and d.is_certain_of(q, t)),
        }

    def all_have(self, level, n):
        """The probability that n records drawn from a bag with the file's target levels all have one of them."""
        bag, n_s, chance = Counter(t for _, t in self.s.records), len(self.s.records), Fraction(1)
        for taken in range(n):
            chance *= Fraction(max(bag[level] - taken, 0), n_s - taken)
        return chance

    def levels(self):
        """Of each target level: its original records, those given away, and how many would be by chance."""
        drawn = Counter(q for q, _ in self.s.records)
        found = {t: [n, 0, 0] for t, n in Counter(t for _, t in self.d.records).items()}
        for q, t in self.d.left:
            found[t][1] += self.disclosed(q, t)
            found[t][2] += float(self.all_have(t, drawn[q])) if q in drawn else 0
        return found

    def by_chance(self):
        """DiS, DiSCO and DCAP_d if the file's target levels were put into a bag, and drawn anew for its keys."""
        bag, n_s = Counter(t for _, t in self.s.records), len(self.s.records)
        drawn = Counter(q for q, _ in self.s.records)
        all_have = self.all_have
        n_d, found = len(self.d.records), [(q, t) for q, t in self.d.left if q in drawn]
        return {
            "baseDiS": percent(sum(all_have(level, drawn[q]) for q, _ in found for level in bag), n_d),
            "baseDiSCO": percent(sum(all_have(t, drawn[q]) for q, t in found), n_d),
            "baseDCAP_d": percent(sum(Fraction(bag[t], n_s) for _, t in found), n_d),
        }

    def measures_of_analyses(self):
        """As `measures`, but who is unique is a matter of the keys alone."""
        alone = Attack(*self.files, Rules(without_missing_keys=self.rules.without_missing_keys)).measures()
        return self.measures() | {name: alone[name] for name in IDENTITY}

    def measures(self):
        d, s = self.d, self.s
        n_d, n_s = len(d.records), len(s.records)
        in_table = {name: count(file.left, belongs) for name, (file, belongs) in self.tables().items()}
        uniques = [q for q, n in d.n_left.items() if n == 1]
        denominators = [n for (q, t), n in d.n_alike_left.items() if self.disclosed(q, t)]
        guesses = sum(s.certainty_left(q, t) for q, t in d.left)
        n_b = count(s.left, lambda q, t: d.n_left[q] > 0)
        marginal = Counter(t for _, t in d.records)
        return {
            "UiO": percent(len(uniques), n_d),
            "UiS": percent(sum(1 for n in s.n_left.values() if n == 1), n_s),
            "UiOiS": percent(sum(1 for q in uniques if s.knows(q)), n_d),
            "repU": percent(sum(1 for q in uniques if s.n_left[q] == 1), n_d),
            "Dorig": percent(in_table["Dorig"], n_d),
            "Dsyn": percent(in_table["Dsyn"], n_s),
            "iS": percent(in_table["iS"], n_d),
            "DiS": percent(in_table["DiS"], n_d),
            "DiSCO": percent(in_table["DiSCO"], n_d),
            "DiSDiO": percent(in_table["DiSDiO"], n_d),
            "max_denom": float(max(denominators, default=0)),
            "mean_denom": float(Fraction(sum(denominators), len(denominators))) if denominators else NOT_A_NUMBER,
            "baseCAPd": float(100 * sum(Fraction(n, n_d) ** 2 for n in marginal.values())),
            "baseMode": percent(max(marginal.values()), n_d),
            "CAPd": percent(sum(d.certainty_left(q, t) for q, t in d.left), n_d),
            "CAPs": percent(sum(s.certainty_left(q, t) for q, t in s.left), n_s),
            "DCAP_d": percent(guesses, n_d),
            "DCAP_s": percent(guesses, n_s),
            "DCAP_b": percent(guesses, n_b),
            "TCAP_s": percent(in_table["DiSCO"], n_s),
            "TCAP_b": percent(in_table["DiSCO"], n_b),
            "TCAP": percent(in_table["DiSCO"], in_table["DiS"]),
            **self.by_chance(),
        }

    def exclusions(self):
        """Records of each table by the reason they are left out for, and those that remain."""
        counts = {}
        for name, (file, belongs) in self.tables().items():
            reasons = [why for (q, t), why in zip(file.records, file.reasons, strict=True) if belongs(q, t)]
            counts[name] = {reason: reasons.count(reason) for reason in REASONS} | {"remaining": reasons.count(None)}
        return counts

    def disco_at(self, tau):
        """Original records left that are guessed with certainty tau or more, each for what the guess is worth."""
        worth = [self.s.certainty(q, t) for q, t in self.d.left]
        return percent(sum(p for p in worth if p >= tau), len(self.d.records))

    def one_way(self):
        """The flagged levels: one, or those that tie; each with its records and their percentage."""
        disclosed = [t for q, t in self.d.left if self.disclosed(q, t)]
        at_least, more_than = self.rules.one_way_threshold
        flagged = {}
        for level, n in Counter(disclosed).items():
            most = n == max(Counter(disclosed).values())
            if most and n > at_least and 100 * Fraction(n, len(disclosed)) > more_than:
                flagged[level] = (n, percent(n, len(disclosed)))
        return flagged

    def two_way(self):
        """Flagged pairs: (key, its level, target level) -> (disclosive, together, with the key level, share, all)."""
        at_least, more_than = self.rules.two_way_threshold
        pairs, in_all = Counter(), Counter()
        for (q, t), n in self.d.n_alike_left.items():
            for place, key in enumerate(self.keys if self.disclosed(q, t) else ()):
                in_all[(key, q[place], t)] += n
                if n > at_least:
                    pairs[(key, q[place], t)] += n
        flagged = {}
        for (key, key_level, level), n in pairs.items():
            place = self.keys.index(key)
            with_key = [t for q, t in self.d.records if q[place] == key_level]
            together = with_key.count(level)
            if 100 * Fraction(together, len(with_key)) > more_than:
                share = percent(together, len(with_key))
                flagged[(key, key_level, level)] = (n, together, len(with_key), share, in_all[(key, key_level, level)])
        return flagged
