# What generated modules call; admit_native.h says what each does. Every PyObject * is borrowed.

from cpython.object cimport PyObject

cdef extern from "Python.h":
    bint PyDict_Next(PyObject *mapping, Py_ssize_t *position, PyObject **key, PyObject **value)
    Py_ssize_t PyDict_GET_SIZE(PyObject *mapping)
    Py_ssize_t PyList_GET_SIZE(PyObject *array)
    PyObject *PyList_GET_ITEM(PyObject *array, Py_ssize_t index)

cdef extern from "admit_native.h":
    bint admit_is_object(PyObject *value)
    bint admit_is_array(PyObject *value)
    bint admit_is_string(PyObject *value)
    bint admit_is_boolean(PyObject *value)
    bint admit_is_null(PyObject *value)
    bint admit_is_integer(PyObject *value)
    bint admit_is_number(PyObject *value)

    bint admit_descend(bint (*check)(PyObject *) noexcept, PyObject *value)
    int admit_descend_raising "admit_descend"(int (*check)(PyObject *) except -1, PyObject *value) except -1

    Py_ssize_t admit_string_length(PyObject *string)

    bint admit_at_least_small(PyObject *value, long long bound)
    bint admit_at_most_small(PyObject *value, long long bound)
    bint admit_above_small(PyObject *value, long long bound)
    bint admit_below_small(PyObject *value, long long bound)

    ctypedef struct admit_bound:
        pass
    admit_bound *admit_bound_new(object number) except NULL
    bint admit_at_least(PyObject *value, const admit_bound *bound)
    bint admit_at_most(PyObject *value, const admit_bound *bound)
    bint admit_above(PyObject *value, const admit_bound *bound)
    bint admit_below(PyObject *value, const admit_bound *bound)

    ctypedef struct admit_table:
        pass
    admit_table *admit_table_new(list names, list cases) except NULL
    int admit_find(const admit_table *table, PyObject *key)

    bint admit_has_string_names(PyObject *value)
    bint admit_is_json_type(PyObject *value)
    int admit_is_json(PyObject *value, Py_ssize_t depth_limit)
