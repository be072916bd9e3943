"""Draw the made-up Northmoor household survey: an original file and a control file.

Nobody in it exists. The control file is a second sample of the same made-up
population; it takes no part in any synthesis.
"""

import sys

import numpy as np
import pandas as pd

REGIONS = {
    "Aldmere": 900,
    "Brackwater": 620,
    "Carrowdale": 540,
    "Dunmoor": 480,
    "Eastfold": 430,
    "Fellbridge": 390,
    "Gorsehill": 330,
    "Harrowgate Isle": 60,
    "Inchwater": 280,
    "Kelbrook": 250,
    "Lowmarsh": 220,
    "Marrowby": 190,
}
SETTLEMENTS = ["City, 500,000 and over", "City, 100,000-499,999", "Town, 20,000-99,999", "Town, under 20,000", "Rural"]


def draw(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw n records of the made-up population."""
    region = rng.choice(list(REGIONS), n, p=np.array(list(REGIONS.values())) / sum(REGIONS.values()))
    rural = np.select([region == "Harrowgate Isle", region == "Aldmere", region == "Lowmarsh"], [0.9, 0.12, 0.6], 0.35)
    u = rng.random(n)
    city = rng.choice(4, n, p=[0.25, 0.3, 0.28, 0.17])
    settlement = np.where(u < rural, SETTLEMENTS[4], np.array(SETTLEMENTS)[city])
    settlement = np.where((settlement == SETTLEMENTS[0]) & (region != "Aldmere"), SETTLEMENTS[1], settlement)
    sex = rng.choice(["Female", "Male"], n, p=[0.53, 0.47])
    age = np.clip(rng.gamma(5.2, 9.3, n) + 2, 16, 97).astype(int)

    single = np.select([age < 20, age < 25, age < 30, age < 40, age < 60], [0.995, 0.93, 0.62, 0.28, 0.12], 0.06)
    widowed = np.where(age >= 65, np.where(sex == "Female", 0.42, 0.14), np.where(age > 45, 0.04, 0.004))
    v = rng.random(n)
    rest = rng.random(n)
    marital = np.where(
        v < single,
        "Single",
        np.where(
            v < single + widowed,
            "Widowed",
            np.where(rest < 0.86, "Married", np.where(rest < 0.97, "Divorced", "Separated")),
        ),
    )

    score = rng.normal(0, 1, n) + 0.35 * (settlement != SETTLEMENTS[4]) - 0.012 * (age - 45)
    education = np.select(
        [age < 18, score < -0.8, score < 0.1, score < 1.0], ["Primary", "Primary", "Vocational", "Secondary"], "Higher"
    )
    retired = (age >= 66) | ((age >= 60) & (rng.random(n) < 0.45))
    student = (age < 24) & (rng.random(n) < np.where(age < 19, 0.93, 0.5))
    w = rng.random(n)
    employment = np.where(
        retired,
        "Retired",
        np.where(
            student,
            "Student",
            np.where(
                w < 0.74,
                "Employed",
                np.where(w < 0.85, "Self-employed", np.where(w < 0.94, "Unemployed", "Caring for home")),
            ),
        ),
    )

    base = 1400 + 450 * (education == "Secondary") + 1250 * (education == "Higher") + 250 * (sex == "Male")
    income = np.round(rng.lognormal(np.log(base), 0.42) / 10) * 10
    income = np.where(np.isin(employment, ["Student", "Caring for home"]) & (rng.random(n) < 0.8), -8, income)
    income = pd.array(income.astype(int), dtype="Int64")
    income[rng.random(n) < 0.11] = pd.NA

    wellbeing = np.clip(
        rng.normal(6.8 - 0.9 * (employment == "Unemployed") - 0.4 * (marital == "Widowed"), 1.7), 0, 10
    ).round()
    smoker = np.where(rng.random(n) < np.where(age < 18, 0.06, 0.24 - 0.05 * (education == "Higher")), "Yes", "No")
    worked_abroad = np.where(rng.random(n) < np.where((age > 21) & (age < 60), 0.13, 0.03), "Yes", "No")
    frame = pd.DataFrame(
        {
            "sex": sex,
            "age": age,
            "region": region,
            "settlement": settlement,
            "marital": marital,
            "education": education,
            "employment": employment,
            "income": income,
            "wellbeing": wellbeing.astype(int),
            "smoker": smoker,
            "worked_abroad": worked_abroad,
        }
    )
    for name, rate in {"marital": 0.003, "education": 0.002, "wellbeing": 0.03}.items():
        frame[name] = frame[name].mask(rng.random(n) < rate)
    frame["wellbeing"] = frame["wellbeing"].astype("Int64")
    return frame


if __name__ == "__main__":
    rng = np.random.default_rng(20111)
    for name in ("original", "control"):
        draw(5000, rng).to_csv(f"{sys.argv[1]}/{name}.csv", index=False)
