"""Reads and writes safetensors, and writes .npy, with the standard library."""

import array
import json
import math
import struct
import sys

CODES = {"F64": "d", "F32": "f", "I64": "q", "I32": "i", "BOOL": "B"}
NPY_TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4",
             "BOOL": "|b1"}


class Tensor:
    """A type of safetensors, a shape and the elements in row-major order."""

    def __init__(self, dtype, shape, values):
        self.dtype, self.shape = dtype, list(shape)
        self.values = array.array(CODES[dtype], values)
        assert len(self.values) == math.prod(self.shape)

    def convert(self, dtype):
        """The same numbers in another type."""
        if dtype in ("F64", "F32"):
            return Tensor(dtype, self.shape, self.values)
        return Tensor(dtype, self.shape, [int(v) for v in self.values])

    def to_bytes(self):
        data = array.array(self.values.typecode, self.values)
        if sys.byteorder == "big":
            data.byteswap()
        return data.tobytes()


def error(value, reference):
    """max |value - reference| / max(1e-6, max |reference|), infinite where
    something is not finite in one of them only."""
    if value.shape != reference.shape:
        return math.inf
    difference, largest = 0.0, 0.0
    for a, b in zip(value.values, reference.values):
        if math.isfinite(a) and math.isfinite(b):
            difference = max(difference, abs(a - b))
            largest = max(largest, abs(b))
        elif not (a == b or (a != a and b != b)):
            return math.inf
    return difference / max(1e-6, largest)


def read_safetensors(path):
    """The tensors by name, half precision as f32, and the metadata."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, info in header.items():
        begin, end = info["data_offsets"]
        dtype, piece = info["dtype"], data[begin:end]
        if dtype in ("F16", "BF16"):
            dtype, piece = "F32", widen(dtype, piece)
        values = array.array(CODES[dtype])
        values.frombytes(piece)
        if sys.byteorder == "big":
            values.byteswap()
        tensors[name] = Tensor(dtype, info["shape"], values)
    return tensors, metadata


def widen(dtype, data):
    """Half-precision numbers as those of f32."""
    count = len(data) // 2
    if dtype == "F16":
        return struct.pack(f"<{count}f", *struct.unpack(f"<{count}e", data))
    return b"".join(b"\0\0" + data[2 * i:2 * i + 2] for i in range(count))


def write_safetensors(path, tensors, metadata):
    """Writes `tensors`, a dictionary, in its order."""
    header, offset = {"__metadata__": metadata}, 0
    for name, tensor in tensors.items():
        size = len(tensor.to_bytes())
        header[name] = {"dtype": tensor.dtype, "shape": tensor.shape,
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":"))
    text += " " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text.encode())
        for tensor in tensors.values():
            file.write(tensor.to_bytes())


def write_npy(path, tensor):
    shape = "".join(f"{extent}," for extent in tensor.shape)
    header = (f"{{'descr': '{NPY_TYPES[tensor.dtype]}', "
              f"'fortran_order': False, 'shape': ({shape}), }}")
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode() + tensor.to_bytes())
