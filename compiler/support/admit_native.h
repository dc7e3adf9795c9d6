/* The C primitives of admit's generated Cython: type tests, number bounds, name tables, "is this JSON".
 *
 * Every argument is a borrowed reference, and nothing here runs Python code, polls signals or collects garbage, so what is borrowed
 * stays alive. Only the functions named `..._new`, which run at import, create objects or raise. CPython 3.10 and later, builds with
 * the GIL.
 */
#ifndef ADMIT_NATIVE_H
#define ADMIT_NATIVE_H

#include <Python.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if PY_VERSION_HEX < 0x030B0000
#include <longintrepr.h>
#endif

#ifdef Py_GIL_DISABLED
#error "admit's native tier needs a CPython build with the GIL"
#endif

#ifdef __GNUC__
#define ADMIT_UNUSED __attribute__((unused))
#define ADMIT_COLD __attribute__((unused, cold, noinline))
#define ADMIT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#else
#define ADMIT_UNUSED
#define ADMIT_COLD
#define ADMIT_LIKELY(condition) (condition)
#endif

/* --- Types: exact built-ins only; a subclass is foreign, and a bool is never a number. --- */

static inline int admit_is_object(PyObject *value) { return PyDict_CheckExact(value); }
static inline int admit_is_array(PyObject *value) { return PyList_CheckExact(value); }
static inline int admit_is_string(PyObject *value) { return PyUnicode_CheckExact(value); }
static inline int admit_is_boolean(PyObject *value) { return value == Py_True || value == Py_False; }
static inline int admit_is_null(PyObject *value) { return value == Py_None; }

/* 2**53: every integer up to it has a double of its own, every double beyond it is an integer. */
#define ADMIT_EXACT 9007199254740992LL

static inline int admit_is_integral(double number)
{
    if (number > -(double)ADMIT_EXACT && number < (double)ADMIT_EXACT)
        return (double)(long long)number == number;
    return isfinite(number); /* false for NaN, which fails both comparisons above */
}

static inline int admit_is_integer(PyObject *value)
{
    return ADMIT_LIKELY(PyLong_CheckExact(value)) || (PyFloat_CheckExact(value) && admit_is_integral(PyFloat_AS_DOUBLE(value)));
}

static inline int admit_is_number(PyObject *value)
{
    return PyLong_CheckExact(value) || (PyFloat_CheckExact(value) && isfinite(PyFloat_AS_DOUBLE(value)));
}

/* --- Descent: an object or array is kept alive while it is walked; leaves are tested borrowed. --- */

/* `depth` counts containers; a check that can pass a limit returns -1 with an error set. */
static inline int admit_descend(int (*check)(PyObject *), PyObject *value)
{
    int verdict;
    Py_INCREF(value);
    verdict = check(value);
    Py_DECREF(value);
    return verdict;
}

static inline int admit_descend_counting(int (*check)(PyObject *, int), PyObject *value, int depth)
{
    int verdict;
    Py_INCREF(value);
    verdict = check(value, depth);
    Py_DECREF(value);
    return verdict;
}

/* --- Strings --- */

/* Code points of an exact str. */
static inline Py_ssize_t admit_string_length(PyObject *string)
{
#if PY_VERSION_HEX < 0x030C0000
    if (!PyUnicode_IS_READY(string)) /* made by a C extension through an API that 3.12 removed */
        return PyUnicode_GetLength(string);
#endif
    return PyUnicode_GET_LENGTH(string);
}

/* --- Bounds of numbers: `value` is known to be an integer or a number, and is compared exactly. --- */

/* The value of an exact int; beyond long long, -1 or 1 in `*overflow`, for its sign. */
static inline long long admit_long_long(PyObject *value, int *overflow)
{
    *overflow = 0;
#if PY_VERSION_HEX >= 0x030C0000
    if (ADMIT_LIKELY(PyUnstable_Long_IsCompact((PyLongObject *)value)))
        return PyUnstable_Long_CompactValue((PyLongObject *)value);
#else
    Py_ssize_t size = Py_SIZE(value);
    if (size == 0)
        return 0;
    if (size == 1 || size == -1)
        return size * (long long)((PyLongObject *)value)->ob_digit[0];
#endif
    return PyLong_AsLongLongAndOverflow(value, overflow);
}

/* A bound that is an integer within ADMIT_EXACT, written as a C constant. */
#define ADMIT_COMPARE_SMALL(NAME, OPERATOR)                                                                                      \
    static inline int NAME(PyObject *value, long long bound)                                                                     \
    {                                                                                                                            \
        int overflow;                                                                                                            \
        if (ADMIT_LIKELY(PyLong_CheckExact(value))) {                                                                            \
            long long number = admit_long_long(value, &overflow);                                                                \
            return overflow ? overflow OPERATOR 0 : number OPERATOR bound;                                                       \
        }                                                                                                                        \
        return PyFloat_AS_DOUBLE(value) OPERATOR (double)bound;                                                                  \
    }
ADMIT_COMPARE_SMALL(admit_at_least_small, >=)
ADMIT_COMPARE_SMALL(admit_at_most_small, <=)
ADMIT_COMPARE_SMALL(admit_above_small, >)
ADMIT_COMPARE_SMALL(admit_below_small, <)

/* Any other bound, enclosed once by the nearest integers and the nearest doubles on both sides of it:
 * value >= bound exactly when value >= the nearest above of value's own type, and so on. */
typedef struct {
    PyObject *integer_below, *integer_above; /* exact ints, strong references */
    double double_below, double_above;       /* may be infinite: the bound lies beyond every double */
} admit_bound;

/* Integers are compared by their own method: no error, no allocation. */
static inline int admit_compare_integers(PyObject *left, PyObject *right, int operator_)
{
    PyObject *verdict = PyLong_Type.tp_richcompare(left, right, operator_);
    Py_DECREF(verdict); /* Py_True or Py_False */
    return verdict == Py_True;
}

#define ADMIT_COMPARE(NAME, OPERATOR, RICH, SIDE)                                                                                \
    static inline int NAME(PyObject *value, const admit_bound *bound)                                                            \
    {                                                                                                                            \
        if (PyLong_CheckExact(value))                                                                                            \
            return admit_compare_integers(value, bound->integer_##SIDE, RICH);                                                   \
        return PyFloat_AS_DOUBLE(value) OPERATOR bound->double_##SIDE;                                                           \
    }
ADMIT_COMPARE(admit_at_least, >=, Py_GE, above)
ADMIT_COMPARE(admit_at_most, <=, Py_LE, below)
ADMIT_COMPARE(admit_above, >, Py_GT, below)
ADMIT_COMPARE(admit_below, <, Py_LT, above)

/* A bound from an exact int or an exact finite float. NULL with ValueError or MemoryError set. Never freed: a module is never unloaded. */
static ADMIT_COLD admit_bound *admit_bound_new(PyObject *number)
{
    admit_bound *bound;
    if (!admit_is_number(number)) {
        PyErr_SetString(PyExc_ValueError, "a bound is a finite number");
        return NULL;
    }
    bound = (admit_bound *)PyMem_Calloc(1, sizeof *bound);
    if (bound == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (PyFloat_CheckExact(number)) {
        double exact = PyFloat_AS_DOUBLE(number);
        bound->double_below = bound->double_above = exact;
        bound->integer_below = PyLong_FromDouble(floor(exact));
        bound->integer_above = PyLong_FromDouble(ceil(exact));
    } else {
        double nearest = PyLong_AsDouble(number); /* beyond every double: OverflowError */
        if (nearest == -1.0 && PyErr_Occurred()) {
            int overflow;
            if (!PyErr_ExceptionMatches(PyExc_OverflowError))
                goto failed;
            PyErr_Clear();
            PyLong_AsLongLongAndOverflow(number, &overflow);
            bound->double_below = overflow > 0 ? DBL_MAX : -Py_HUGE_VAL;
            bound->double_above = overflow > 0 ? Py_HUGE_VAL : -DBL_MAX;
        } else {
            PyObject *rounded = PyLong_FromDouble(nearest);
            if (rounded == NULL)
                goto failed;
            bound->double_below = admit_compare_integers(rounded, number, Py_LE) ? nearest : nextafter(nearest, -Py_HUGE_VAL);
            bound->double_above = admit_compare_integers(rounded, number, Py_GE) ? nearest : nextafter(nearest, Py_HUGE_VAL);
            Py_DECREF(rounded);
        }
        Py_INCREF(number);
        Py_INCREF(number);
        bound->integer_below = bound->integer_above = number;
    }
    if (bound->integer_below != NULL && bound->integer_above != NULL)
        return bound;
failed:
    Py_XDECREF(bound->integer_below);
    Py_XDECREF(bound->integer_above);
    PyMem_Free(bound);
    return NULL;
}

/* --- Name tables: open addressing over the hash that a str keeps, at most half full. --- */

typedef struct {
    Py_hash_t hash;
    PyObject *name; /* strong reference; NULL where the slot is free */
    int answer;
} admit_entry;

typedef struct {
    size_t mask; /* slots - 1; slots are a power of two */
    admit_entry entries[1];
} admit_table;

static inline int admit_same_name(PyObject *left, PyObject *right)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(left);
    return length == PyUnicode_GET_LENGTH(right) && PyUnicode_KIND(left) == PyUnicode_KIND(right)
           && memcmp(PyUnicode_DATA(left), PyUnicode_DATA(right), (size_t)length * PyUnicode_KIND(left)) == 0;
}

/* The case number of `key`, an exact str, or -1. */
static inline int admit_find(const admit_table *table, PyObject *key)
{
    Py_hash_t hash = ((PyASCIIObject *)key)->hash;
    const admit_entry *entry;
    size_t slot;
    if (!ADMIT_LIKELY(hash != -1))
        hash = PyObject_Hash(key); /* also brings a str of 3.10 and 3.11 into its final form */
    for (slot = (size_t)hash & table->mask;; slot = (slot + 1) & table->mask) {
        entry = &table->entries[slot];
        if (entry->name == key)
            return entry->answer;
        if (entry->name == NULL)
            return -1;
        if (entry->hash == hash && admit_same_name(entry->name, key))
            return entry->answer;
    }
}

/* A table from a list of exact, distinct str and a list of as many ints >= 0. NULL with ValueError or MemoryError set. Never freed. */
static ADMIT_COLD admit_table *admit_table_new(PyObject *names, PyObject *cases)
{
    Py_ssize_t count = PyList_GET_SIZE(names), index;
    size_t slots = 4, slot;
    admit_table *table;
    if (PyList_GET_SIZE(cases) != count) {
        PyErr_SetString(PyExc_ValueError, "a name table needs a case for each name");
        return NULL;
    }
    while (slots < 2 * (size_t)count)
        slots *= 2;
    table = (admit_table *)PyMem_Calloc(1, sizeof *table + (slots - 1) * sizeof *table->entries);
    if (table == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    table->mask = slots - 1;
    for (index = 0; index < count; index++) {
        PyObject *name = PyList_GET_ITEM(names, index);
        int answer, overflow = 0;
        Py_hash_t hash;
        answer = PyLong_CheckExact(PyList_GET_ITEM(cases, index)) ? (int)PyLong_AsLongAndOverflow(PyList_GET_ITEM(cases, index), &overflow) : -1;
        if (!PyUnicode_CheckExact(name) || answer < 0 || overflow || (hash = PyObject_Hash(name)) == -1)
            goto failed;
        if (admit_find(table, name) != -1)
            goto failed;
        for (slot = (size_t)hash & table->mask; table->entries[slot].name != NULL; slot = (slot + 1) & table->mask)
            ;
        Py_INCREF(name);
        table->entries[slot].hash = hash;
        table->entries[slot].name = name;
        table->entries[slot].answer = answer;
    }
    return table;
failed:
    for (slot = 0; slot < slots; slot++)
        Py_XDECREF(table->entries[slot].name);
    PyMem_Free(table);
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a name table maps distinct str to small ints >= 0");
    return NULL;
}
#endif
