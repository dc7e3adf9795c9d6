/* The C primitives of admit's generated Cython: type tests, number bounds, name tables, "is this JSON".
 *
 * Every argument is a borrowed reference, and nothing here runs Python code, polls signals or collects garbage, so what
 * is borrowed stays alive. Only the functions named `..._new`, which run at import, create objects or raise.
 * CPython 3.10 and later, builds with the GIL.
 */
#ifndef ADMIT_NATIVE_H
#define ADMIT_NATIVE_H

#include <Python.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#if PY_VERSION_HEX < 0x030B0000
#include <longintrepr.h>
#endif

#ifdef Py_GIL_DISABLED
#error "admit's native tier needs a CPython build with the GIL"
#endif

#ifdef __GNUC__
#define ADMIT_APART __attribute__((unused, noinline))
#define ADMIT_COLD __attribute__((unused, noinline, cold))
#define ADMIT_LIKELY(condition) __builtin_expect(!!(condition), 1)
#else
#define ADMIT_APART
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
    return ADMIT_LIKELY(PyLong_CheckExact(value))
           || (PyFloat_CheckExact(value) && admit_is_integral(PyFloat_AS_DOUBLE(value)));
}

static inline int admit_is_number(PyObject *value)
{
    return PyLong_CheckExact(value) || (PyFloat_CheckExact(value) && isfinite(PyFloat_AS_DOUBLE(value)));
}

/* --- Descent: an object or array is kept alive while it is walked; leaves are tested borrowed. --- */

/* What `check` answers: 1, 0, or -1 with an error set. */
static inline int admit_descend(int (*check)(PyObject *), PyObject *value)
{
    int verdict;
    Py_INCREF(value);
    verdict = check(value);
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
#define ADMIT_COMPARE_SMALL(NAME, OPERATOR)                                                                            \
    static inline int NAME(PyObject *value, long long bound)                                                           \
    {                                                                                                                  \
        int overflow;                                                                                                  \
        if (ADMIT_LIKELY(PyLong_CheckExact(value))) {                                                                  \
            long long number = admit_long_long(value, &overflow);                                                      \
            return overflow ? overflow OPERATOR 0 : number OPERATOR bound;                                             \
        }                                                                                                              \
        return PyFloat_AS_DOUBLE(value) OPERATOR (double)bound;                                                        \
    }
ADMIT_COMPARE_SMALL(admit_at_least_small, >=)
ADMIT_COMPARE_SMALL(admit_at_most_small, <=)
ADMIT_COMPARE_SMALL(admit_above_small, >)
ADMIT_COMPARE_SMALL(admit_below_small, <)

/* Any other bound, enclosed once by the nearest integers and the nearest doubles on both sides of it:
 * value >= bound exactly when value >= the nearest above of value's own type, and so on. */
typedef struct {
    PyObject *integer_below, *integer_above; /* exact ints, strong references */
    double double_below, double_above;       /* both infinite where the bound lies beyond every double */
} admit_bound;

/* Integers are compared by their own method: no error, no allocation. */
static inline int admit_compare_integers(PyObject *left, PyObject *right, int operator_)
{
    PyObject *verdict = PyLong_Type.tp_richcompare(left, right, operator_);
    Py_DECREF(verdict); /* Py_True or Py_False */
    return verdict == Py_True;
}

#define ADMIT_COMPARE(NAME, OPERATOR, RICH, SIDE)                                                                      \
    static inline int NAME(PyObject *value, const admit_bound *bound)                                                  \
    {                                                                                                                  \
        if (PyLong_CheckExact(value))                                                                                  \
            return admit_compare_integers(value, bound->integer_##SIDE, RICH);                                         \
        return PyFloat_AS_DOUBLE(value) OPERATOR bound->double_##SIDE;                                                 \
    }
ADMIT_COMPARE(admit_at_least, >=, Py_GE, above)
ADMIT_COMPARE(admit_at_most, <=, Py_LE, below)
ADMIT_COMPARE(admit_above, >, Py_GT, below)
ADMIT_COMPARE(admit_below, <, Py_LT, above)

/* A bound from an exact int or an exact finite float; never freed, since a module is never unloaded.
 * NULL with ValueError or MemoryError set. */
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
            bound->double_below = bound->double_above = overflow > 0 ? Py_HUGE_VAL : -Py_HUGE_VAL;
        } else {
            PyObject *rounded = PyLong_FromDouble(nearest);
            if (rounded == NULL)
                goto failed;
            bound->double_below = bound->double_above = nearest;
            if (admit_compare_integers(rounded, number, Py_GT))
                bound->double_below = nextafter(nearest, -Py_HUGE_VAL);
            if (admit_compare_integers(rounded, number, Py_LT))
                bound->double_above = nextafter(nearest, Py_HUGE_VAL);
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

/* An exact int from 0 to INT_MAX as such, anything else as -1. */
static ADMIT_COLD int admit_case(PyObject *number)
{
    int overflow = 0;
    long long value = PyLong_CheckExact(number) ? admit_long_long(number, &overflow) : -1;
    return value < 0 || value > INT_MAX || overflow ? -1 : (int)value;
}

/* A table from a list of distinct, exact str and a list of as many ints; never freed.
 * NULL with ValueError or MemoryError set. */
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
        int answer = admit_case(PyList_GET_ITEM(cases, index));
        Py_hash_t hash;
        if (answer < 0 || !PyUnicode_CheckExact(name) || (hash = PyObject_Hash(name)) == -1)
            goto failed;
        if (admit_find(table, name) != -1)
            goto failed;
        for (slot = (size_t)hash & table->mask; table->entries[slot].name != NULL;)
            slot = (slot + 1) & table->mask;
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

/* --- Is this JSON? --- */

static inline int admit_is_scalar(PyObject *value)
{
    return admit_is_string(value) || admit_is_number(value) || admit_is_boolean(value) || admit_is_null(value);
}

/* Whether every member name of an exact dict is an exact str. */
static inline int admit_has_string_names(PyObject *object)
{
    Py_ssize_t position = 0;
    PyObject *name;
    while (PyDict_Next(object, &position, &name, NULL))
        if (!admit_is_string(name))
            return 0;
    return 1;
}

/* Whether `value` is of a JSON type, member names included; what is under it is not looked at. */
static inline int admit_is_json_type(PyObject *value)
{
    return admit_is_scalar(value) || admit_is_array(value)
           || (admit_is_object(value) && admit_has_string_names(value));
}

typedef struct {
    PyObject *container;
    Py_ssize_t height; /* containers nested in it, itself included; 0 while it is open */
} admit_seen;

typedef struct {
    size_t mask, used;
    admit_seen *entries;
} admit_seen_set;

typedef struct {
    PyObject *container;
    Py_ssize_t position, height;
} admit_frame;

/* Where `container` stands in the set or would stand; there is always a free slot. */
static inline admit_seen *admit_seen_slot(const admit_seen_set *set, PyObject *container)
{
    size_t slot = ((size_t)container >> 4) * (size_t)0x9E3779B97F4A7C15ULL;
    slot ^= slot >> (sizeof slot * 4);
    for (slot &= set->mask; set->entries[slot].container != NULL && set->entries[slot].container != container;)
        slot = (slot + 1) & set->mask;
    return &set->entries[slot];
}

/* 0, or -1 where memory is short. */
static ADMIT_COLD int admit_seen_grow(admit_seen_set *set)
{
    admit_seen_set grown = {set->entries == NULL ? 63 : 2 * set->mask + 1, set->used, NULL};
    size_t slot;
    grown.entries = (admit_seen *)PyMem_Calloc(grown.mask + 1, sizeof *grown.entries);
    if (grown.entries == NULL)
        return -1;
    for (slot = 0; set->entries != NULL && slot <= set->mask; slot++)
        if (set->entries[slot].container != NULL)
            *admit_seen_slot(&grown, set->entries[slot].container) = set->entries[slot];
    PyMem_Free(set->entries);
    *set = grown;
    return 0;
}

#define ADMIT_TOO_DEEP (-1)
#define ADMIT_NO_MEMORY (-2)
#define ADMIT_FRAMES 64

static ADMIT_APART int admit_walk_json(PyObject *item, Py_ssize_t depth_limit)
{
    admit_frame local[ADMIT_FRAMES], *frames = local, *frame;
    admit_seen_set seen = {0, 0, NULL};
    Py_ssize_t depth = 0, capacity = ADMIT_FRAMES;
    int verdict = ADMIT_NO_MEMORY;
    for (;;) {
        if (admit_is_object(item) || admit_is_array(item)) {
            admit_seen *known = NULL;
            if (Py_REFCNT(item) > 1) { /* only what has a second reference can be met a second time */
                if (2 * seen.used >= seen.mask && admit_seen_grow(&seen) < 0)
                    goto done;
                known = admit_seen_slot(&seen, item);
            }
            if (known != NULL && known->container != NULL) {
                if (known->height == 0 || depth + known->height > depth_limit) {
                    verdict = ADMIT_TOO_DEEP;
                    goto done;
                }
                frames[depth - 1].height = Py_MAX(frames[depth - 1].height, known->height + 1);
            } else {
                if (depth >= depth_limit) {
                    verdict = ADMIT_TOO_DEEP;
                    goto done;
                }
                if (admit_is_object(item) && !admit_has_string_names(item)) {
                    verdict = 0;
                    goto done;
                }
                if (known != NULL) {
                    known->container = item;
                    seen.used++;
                }
                if (depth == capacity) {
                    capacity *= 2;
                    frame = (admit_frame *)PyMem_Realloc(frames == local ? NULL : frames, capacity * sizeof *frames);
                    if (frame == NULL)
                        goto done;
                    if (frames == local)
                        memcpy(frame, local, sizeof local);
                    frames = frame;
                }
                frame = &frames[depth++];
                frame->container = item;
                frame->position = 0;
                frame->height = 1;
            }
        } else if (!admit_is_scalar(item)) {
            verdict = 0;
            goto done;
        }
        for (;;) { /* to the next item, leaving the containers that are done */
            frame = &frames[depth - 1];
            if (admit_is_array(frame->container)) {
                if (frame->position < PyList_GET_SIZE(frame->container)) {
                    item = PyList_GET_ITEM(frame->container, frame->position++);
                    break;
                }
            } else if (PyDict_Next(frame->container, &frame->position, NULL, &item)) {
                break;
            }
            if (Py_REFCNT(frame->container) > 1)
                admit_seen_slot(&seen, frame->container)->height = frame->height;
            if (--depth == 0) {
                verdict = 1;
                goto done;
            }
            frame[-1].height = Py_MAX(frame[-1].height, frame->height + 1);
        }
    }
done:
    if (frames != local)
        PyMem_Free(frames);
    PyMem_Free(seen.entries);
    return verdict;
}

/* 1 where `value` and all beneath it are exact JSON types, 0 where something is foreign, ADMIT_TOO_DEEP where more than
 * `depth_limit` containers are nested (`value` counts as one), ADMIT_NO_MEMORY. No error is set.
 *
 * The walk goes in document order, depth first, and the first thing foreign or too deep that it meets decides, as if
 * what is shared were written out in full; a dict's names come before its members. Yet each container is walked once:
 * one that was finished holds nothing foreign, so at another place it can only be too deep, which its height tells; one
 * met inside itself is too deep under every limit.
 */
static inline int admit_is_json(PyObject *value, Py_ssize_t depth_limit)
{
    return admit_is_scalar(value) ? 1 : admit_walk_json(value, depth_limit);
}
#endif
