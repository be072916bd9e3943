"""The steps of the form, in the order in which they are taken. A step is a file, and its line here."""

from __future__ import annotations

from discoreport.form.panels.checks import ChecksStep
from discoreport.form.panels.data import DataStep
from discoreport.form.panels.panel import Step
from discoreport.form.panels.questions import QuestionsStep
from discoreport.form.panels.report import ReportStep
from discoreport.form.panels.results import ResultsStep
from discoreport.form.panels.scenario import ScenarioStep
from discoreport.form.panels.settings import SettingsStep

STEPS: tuple[type[Step], ...] = (
    DataStep,
    ScenarioStep,
    SettingsStep,
    ResultsStep,
    ChecksStep,
    QuestionsStep,
    ReportStep,
)
