# C types for _support.py, which is also built as the extension _support_c: one source, two modules.
cimport cython

@cython.locals(members=dict)
cpdef bint is_object(object value)

cpdef bint has_string_names(dict value)

cdef Py_ssize_t _height(object container, Py_ssize_t room, dict heights) except -1
