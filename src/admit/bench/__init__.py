"""Side by side: admit's tiers and the validators that people use today, on one catalog and its calls.

Every engine runs in a process of its own; rounds are interleaved, and what is reported are medians of paired rounds,
because the machines that this runs on are shared.

Imports: engines, measure, report.
"""

from __future__ import annotations

from .measure import Settings, run
from .report import Report

__all__ = ["Report", "Settings", "run"]
