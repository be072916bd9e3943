"""The steps of the form, in the order in which they are taken. A step is a file, and its line here."""

from __future__ import annotations

from discoreport.form.checks_step import ChecksStep
from discoreport.form.data_step import DataStep
from discoreport.form.questions_step import QuestionsStep
from discoreport.form.report_step import ReportStep
from discoreport.form.results_step import ResultsStep
from discoreport.form.scenario_step import ScenarioStep
from discoreport.form.settings_step import SettingsStep
from discoreport.form.step import Step

STEPS: tuple[type[Step], ...] = (
    DataStep,
    ScenarioStep,
    SettingsStep,
    ResultsStep,
    ChecksStep,
    QuestionsStep,
    ReportStep,
)
