"""Schemas and arguments that attack or exhaust, and the processes that judge them."""
