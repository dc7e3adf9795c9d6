"""What generated code may import or include: copied beside it where it must stand alone.

Imports: nothing of admit.
"""
