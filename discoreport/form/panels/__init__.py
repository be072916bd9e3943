"""The panels of the form, in the order in which they are taken. A panel is a file, its name, and its line here."""

from __future__ import annotations

from discoreport.form.panels.approver_questions import QuestionsPanel
from discoreport.form.panels.data import DataPanel
from discoreport.form.panels.flags import FlagsPanel
from discoreport.form.panels.panel import Panel
from discoreport.form.panels.report import ReportPanel
from discoreport.form.panels.results import ResultsPanel
from discoreport.form.panels.scenario import ScenarioPanel
from discoreport.form.panels.settings import SettingsPanel
from discoreport.form.panels.sign_off import SignOffPanel

PANELS: tuple[type[Panel], ...] = (
    DataPanel,
    ScenarioPanel,
    SettingsPanel,
    ResultsPanel,
    FlagsPanel,
    QuestionsPanel,
    ReportPanel,
    SignOffPanel,
)
