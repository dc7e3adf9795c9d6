"""Measurements of choices inside admit."""
