"""hagg/plugin.h for ctypes: plugins are loaded and called as the host does it, without the host."""

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

import numpy

ABI = 1
WHY_SIZE = 160
PREFIXES = 8
ISAS = ("portable", "avx2", "avx512")


class Param(ctypes.Structure):
    _fields_ = [("key", c_char_p), ("value", c_char_p)]


class FieldInfo(ctypes.Structure):
    _fields_ = [
        ("order", c_uint64),
        ("characteristic", c_uint64),
        ("int_min", c_int64),
        ("int_max", c_int64),
        ("elem_size", c_uint32),
    ]


class FieldPlugin(ctypes.Structure):
    _fields_ = [
        ("abi", c_uint32),
        ("size", c_uint32),
        ("name", c_char_p),
        ("summary", c_char_p),
        ("ctx_size", c_size_t),
        ("init", CFUNCTYPE(c_int, c_void_p, POINTER(Param), c_size_t, POINTER(FieldInfo), c_char_p)),
        ("add", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("sub", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("scale_add", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("inv", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)),
        ("check", CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)),
        ("sample", CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t,
                             POINTER(c_size_t))),
        ("from_int", CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("to_int", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_size_t)),
        ("mat_apply", CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p,
                                c_size_t)),
        ("add_checked", CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t)),
    ]


class SchemeShape(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in ("parts", "randoms", "symbols", "uses_points")]


class SchemePrefix(ctypes.Structure):
    _fields_ = [(name, c_uint32) for name in ("holders", "symbols")]


class SchemePlugin(ctypes.Structure):
    _fields_ = [
        ("abi", c_uint32),
        ("size", c_uint32),
        ("name", c_char_p),
        ("summary", c_char_p),
        ("shape", CFUNCTYPE(c_int, c_uint32, c_uint32, c_uint32, POINTER(SchemeShape), c_char_p)),
        ("matrix", CFUNCTYPE(c_int, c_uint32, c_uint32, c_uint32, c_void_p, c_void_p,
                             POINTER(FieldInfo), c_void_p, c_void_p, c_char_p)),
        ("block", c_void_p),
        ("shape_with", CFUNCTYPE(c_int, POINTER(Param), c_size_t, c_uint32, c_uint32, c_uint32,
                                 POINTER(SchemeShape), POINTER(SchemePrefix), POINTER(c_uint32), c_char_p)),
        ("matrix_with", CFUNCTYPE(c_int, POINTER(Param), c_size_t, c_uint32, c_uint32, c_uint32, c_void_p,
                                  c_void_p, POINTER(FieldInfo), c_void_p, c_void_p, c_char_p)),
    ]


def params_of(text):
    """(array, count) of "key=value,..."."""
    pairs = [pair.split("=", 1) for pair in text.split(",") if pair]
    return (Param * max(1, len(pairs)))(*[Param(k.encode(), v.encode()) for k, v in pairs]), len(pairs)


class Refused(Exception):
    """A plugin said no; the text is its reason."""


class Buffer:
    """n packed elements that begin offset bytes after a multiple of 64, with watched surroundings."""

    MARGIN = 64
    AROUND = 0xA5

    def __init__(self, n, elem_size, offset=0, values=None):
        n_bytes = n * elem_size
        self.raw = numpy.full(n_bytes + offset + 3 * self.MARGIN, self.AROUND, numpy.uint8)
        start = -self.raw.ctypes.data % 64 + self.MARGIN + offset
        self.before, self.after = self.raw[:start], self.raw[start + n_bytes:]
        self.bytes = self.raw[start:start + n_bytes]
        self.elements = self.bytes.view(f"<u{elem_size}")
        self.pointer = self.raw.ctypes.data + start
        if values is not None:
            self.elements[:] = numpy.array(values, dtype=f"<u{elem_size}")

    def values(self):
        return [int(x) for x in self.elements]

    def intact(self):
        return bool((self.before == self.AROUND).all() and (self.after == self.AROUND).all())


class Field:
    """A field plugin with a context of its own; isa lowers what the processor offers."""

    def __init__(self, directory, name, params="", isa=None):
        path = os.path.join(directory, f"hagg-field-{name}.so")
        self.library = ctypes.CDLL(path, os.RTLD_NOW | os.RTLD_LOCAL)
        self.plugin = FieldPlugin.in_dll(self.library, "hagg_field_plugin")
        if (self.plugin.abi, self.plugin.size) != (ABI, ctypes.sizeof(FieldPlugin)):
            raise ValueError(f"{path}: ABI {self.plugin.abi}, {self.plugin.size} bytes")
        if isa:
            os.environ["HAGG_ISA"] = isa
        array, n_params = params_of(params)
        self.context = Buffer(self.plugin.ctx_size, 1)
        self.info = FieldInfo()
        why = ctypes.create_string_buffer(WHY_SIZE)
        if self.plugin.init(self.ctx, array, n_params, ctypes.byref(self.info), why) != 0:
            raise Refused(why.value.decode())
        self.elem_size = self.info.elem_size

    @property
    def ctx(self):
        return self.context.pointer

    def vector(self, values, offset=0):
        return Buffer(len(values), self.elem_size, offset, values)

    def empty(self, n, offset=0):
        return Buffer(n, self.elem_size, offset)


class Scheme:
    """A scheme plugin. params makes it call the functions of schemes with parameters, even if it is empty."""

    def __init__(self, directory, name, params=None):
        self.params = None if params is None else params_of(params)
        self.all_prefixes, self.n_prefixes = (SchemePrefix * PREFIXES)(), c_uint32()
        path = os.path.join(directory, f"hagg-scheme-{name}.so")
        self.library = ctypes.CDLL(path, os.RTLD_NOW | os.RTLD_LOCAL)
        self.plugin = SchemePlugin.in_dll(self.library, "hagg_scheme_plugin")
        if (self.plugin.abi, self.plugin.size) != (ABI, ctypes.sizeof(SchemePlugin)):
            raise ValueError(f"{path}: ABI {self.plugin.abi}, {self.plugin.size} bytes")

    def shape(self, n, k, z):
        """(parts, randoms, symbols, uses_points)"""
        shape = SchemeShape()
        why = ctypes.create_string_buffer(WHY_SIZE)
        if self.params:
            status = self.plugin.shape_with(*self.params, n, k, z, ctypes.byref(shape), self.all_prefixes,
                                            ctypes.byref(self.n_prefixes), why)
        else:
            status = self.plugin.shape(n, k, z, ctypes.byref(shape), why)
        if status != 0:
            raise Refused(why.value.decode())
        return shape.parts, shape.randoms, shape.symbols, shape.uses_points

    def prefixes(self, n, k, z):
        """[(holders, symbols), ...] without whole shares"""
        self.shape(n, k, z)
        return [(prefix.holders, prefix.symbols) for prefix in self.all_prefixes[:self.n_prefixes.value]]

    def matrix(self, n, k, z, field, points=None):
        """Rows of elements, as numbers."""
        parts, randoms, symbols, _ = self.shape(n, k, z)
        n_rows, n_cols = n * symbols, parts + randoms
        out = field.empty(n_rows * n_cols, offset=3)
        packed = field.vector(points, offset=5) if points is not None else None
        why = ctypes.create_string_buffer(WHY_SIZE)
        call, first = (self.plugin.matrix_with, self.params) if self.params else (self.plugin.matrix, ())
        status = call(*first, n, k, z, ctypes.addressof(field.plugin), field.ctx, ctypes.byref(field.info),
                      packed and packed.pointer, out.pointer, why)
        if not out.intact():
            raise AssertionError("writes outside the matrix")
        if status != 0:
            raise Refused(why.value.decode())
        values = out.values()
        return [values[r * n_cols:(r + 1) * n_cols] for r in range(n_rows)]


class Tally:
    """Counts checks; a check is a function that returns normally when all is well."""

    def __init__(self):
        self.passed = self.failed = 0

    def run(self, name, check, *args):
        try:
            check(*args)
        except (AssertionError, Refused, ValueError, OSError) as problem:
            self.failed += 1
            print(f"FAILED {name}: {problem}", flush=True)
        else:
            self.passed += 1

    def close(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
