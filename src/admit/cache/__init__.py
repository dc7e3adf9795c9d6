"""What was compiled once: in memory for this process, on disk for the next ones.

Imports: memory, disk, directory.
"""

from __future__ import annotations

from .directory import default_directory
from .disk import DiskStore, Entry, ModuleEntry
from .memory import MemoryCache

__all__ = ["DiskStore", "Entry", "MemoryCache", "ModuleEntry", "default_directory"]
