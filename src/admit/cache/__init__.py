"""What was compiled once: in memory for this process, on disk for the next ones.

Imports: memory, disk.
"""

from __future__ import annotations

from .disk import DiskStore, Entry, ModuleEntry
from .memory import MemoryCache

__all__ = ["DiskStore", "Entry", "MemoryCache", "ModuleEntry"]
