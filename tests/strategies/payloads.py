"""Text that tries to become code, to end a line or a string, or to be taken for another name.

Imports: nothing of admit.
"""

from __future__ import annotations

PLAIN = ("path", "command", "limit", "offset", "label", "options", "value", "text", "id", "a")

PAYLOADS = (
    # Quotes and backslashes.
    *("'", '"', "'''", '"""', "\\", "abc\\", "\\'", '\\"', "\\x27", "\\u0022", "\\N{DIGIT ONE}", "`", "a\\\n"),
    # What ends a line somewhere, or hides in one.
    *("\n", "a\rb", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\x00", "a\x00b", "\x1b[31m", "\x01v0\x02"),
    *("\ufeffa", "\u202eabc", "\u200d", "\U0001f600", "\ud800", "\udc00x", "\udfff\ud800"),
    # Templates, comments and code.
    *("{", "{}", "{0}", "{value}", "{data.__class__.__init__.__globals__}", "%s%n%(x)s", "${x}", "#", "# x", "//"),
    *("*/ x /*", "??/", ";", "\n#", "x\n    return True\n", "x\r    return True", "'] or __import__('os') or d['"),
    *('"); system("true"); ("', "' + str(1) + '", "\\\n  import os", "__import__('os').abort()"),
    # Names that code uses.
    *("__class__", "__proto__", "__init__", "class", "None", "True", "self", "return", "int", "static", "NULL"),
    *("check_1", "value_1", "v0", "_0", "d", "n", "missing", "MISSING", "is_valid", "ExecutionError", "_support"),
    *("cdef", "Py_None", "dict", "type", "properties", "required", "additionalProperties", "$ref", "$id", "oneOf"),
    # Nearly equal, or empty, or a pointer's own letters.
    *("", " ", ".", "..", "/", "~", "~0", "~1", "a/b", "%25", "0", "-1", "1.0", "a ", "A", "a-b", "a_b"),
    *("é", "e\u0301", "É", "ﬁ", "fi", "ｅｖａｌ", "\u212a", "K", "ı", "ß", "ss"),
)
"""Property names, required names and descriptions."""

LONG = "x" * 5_000
"""A name longer than any buffer a generator might set aside."""
