"""Makes one model of many small functions, to run on every target.

usage: ops-model.py FUNCTIONS.mlir FOLDER [f64]

FUNCTIONS.mlir holds functions of nn ops with one result:

    func.func @name(%x: tensor<4x3xf32>, ...) -> tensor<4xf32> {
      ...
      return %r : tensor<4xf32>
    }

With `f64` every f32 in them is read as f64. Writes into FOLDER model.mlir, init.safetensors and one .npy per batch input,
and prints the value of --data. In the model every function `f` has

* its arguments as parameters `f.x`; those that depend on the batch (`?` is the
  first dimension) as batch inputs of 6 samples.
* a parameter `f` of the shape of the result, without `?`. The loss is the sum
  of all (result * f).

Parameters are f32 (f64); arguments and results of other types are converted.

With SGD and momentum the saved slots are the gradients of one step: that of
`f` is the result itself (the sum over samples where it depends on the batch),
that of `f.x` the derivative.

An argument's values are those of its attribute `test.values = dense<...>`, else
from `test.from` to `test.to` (default -2 and 2), spread without a pattern.
"""

import json
import os
import re
import struct
import sys

BATCH = 6
RULE = ("#train.sgd<lr = 1.0, momentum = 0.5, nesterov = false, "
        "weight_decay = 0.0>")
FUNCTION = re.compile(
    r"^func\.func @(\w+)\((.*?)\)\s*->\s*(tensor<[^>]*>)\s*\{\n(.*?)"
    r"\s*return (%\w+) : [^\n]*\n\}", re.M | re.S)
ARGUMENT = re.compile(r"%(\w+): (tensor<[^>]*>)(?: \{((?:[^{}])*)\})?")


def split_type(text):
    """The shape (None for `?`) and element type of a tensor type."""
    *shape, element = text[len("tensor<"):-1].split("x")
    return [None if e == "?" else int(e) for e in shape], element


def make_type(shape, element):
    extents = ["?" if e is None else str(e) for e in shape]
    return "tensor<" + "x".join(extents + [element]) + ">"


def count(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product


def draw(number, attributes, shape, element):
    """Values of argument `number`: listed, or a fixed spread over a range."""
    listed = re.search(r"test\.values = dense<(.*?)>", attributes)
    if listed:
        text = re.sub(r"[\[\],]", " ", listed.group(1))
        words = {"true": 1.0, "false": 0.0}
        given = [words[w] if w in words else float(w) for w in text.split()]
        return [given[i % len(given)] for i in range(count(shape))]
    bounds = {}
    for name, default in (("from", -2.0), ("to", 2.0)):
        found = re.search(rf"test\.{name} = ([-+.e\d]+)", attributes)
        bounds[name] = float(found.group(1)) if found else default
    low, high = bounds["from"], bounds["to"]
    values = []
    for i in range(count(shape)):
        # Multiples of the golden ratio are spread evenly.
        part = (0.6180339887498949 * (i + 1 + 17 * number)) % 1.0
        values.append(low + (high - low) * part)
    if element[0] == "i":
        values = [float(int(v)) for v in values]
    return values


def pack(values, element):
    if element.startswith("i"):
        code = {"i32": "i", "i64": "q", "i1": "?"}[element]
        return struct.pack(f"<{len(values)}{code}", *[int(v) for v in values])
    if element == "bf16":
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    code = {"f16": "e", "f32": "f", "f64": "d"}[element]
    return struct.pack(f"<{len(values)}{code}", *values)


def write_npy(path, shape, element, values):
    descr = {"f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8",
             "f16": "<f2", "i1": "|b1"}[element]
    header = (f"{{'descr': '{descr}', 'fortran_order': False, "
              f"'shape': {tuple(shape)}, }}")
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        out.write(header.encode() + pack(values, element))


def write_safetensors(path, tensors):
    header, data = {}, b""
    for name, (shape, element, values) in tensors.items():
        bytes_ = pack(values, element)
        header[name] = {"dtype": element.upper(), "shape": shape,
                        "data_offsets": [len(data), len(data) + len(bytes_)]}
        data += bytes_
    text = json.dumps(header).encode()
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + data)


class Model:
    def __init__(self, folder, element):
        self.folder = folder
        self.element = element
        self.arguments = []
        self.body = []
        self.tensors = {}
        self.inputs = []
        self.losses = []

    def parameter(self, name, shape, element, values):
        value = "%p" + str(len(self.arguments))
        self.arguments.append(
            f"{value}: {make_type(shape, element)} {{train.role = "
            f"#train.role<param>, train.name = \"{name}\", train.rule = "
            f"{RULE}}}")
        self.tensors[name] = (shape, element, values)
        return value

    def batch_input(self, name, shape, element, values):
        value = "%p" + str(len(self.arguments))
        self.arguments.append(
            f"{value}: {make_type(shape, element)} {{train.role = "
            f"#train.role<batch>, train.name = \"{name}\", train.batch_dim = "
            f"0 : i64}}")
        path = os.path.join(self.folder, name + ".npy")
        write_npy(path, [BATCH] + shape[1:], element, values)
        self.inputs.append(f"{name}={path}")
        return value

    def argument(self, function, number, name, type_, attributes):
        shape, element = split_type(type_)
        full = f"{function}.{name}"
        if None in shape:
            return self.batch_input(
                full, shape, element,
                draw(number, attributes, [BATCH] + shape[1:], element))
        values = draw(number, attributes, shape, element)
        value = self.parameter(full, shape, self.element, values)
        if element == self.element:
            return value
        floats = make_type(shape, self.element)
        converted = f"{value}_converted"
        self.body.append(
            f"{converted} = nn.convert {value} : {floats} to {type_}")
        return converted

    def add_sum(self, value, shape):
        """Adds the sum of all elements of `value` to the loss."""
        if shape:
            result = f"{value}_sum"
            dims = ", ".join(str(i) for i in range(len(shape)))
            self.body.append(f"{result} = nn.sum {value} dims [{dims}] : "
                             f"{make_type(shape, self.element)} -> "
                             f"tensor<{self.element}>")
            value = result
        self.losses.append(value)

    def function(self, name, arguments, result_type, body, result):
        images = {}
        for number, (argument, type_, attributes) in enumerate(arguments):
            images[argument] = self.argument(name, number, argument, type_,
                                             attributes)
        rename = lambda match: images.get(match.group(1)) or \
            f"%{name}_{match.group(1)}"
        self.body.append(re.sub(r"%(\w+)", rename, body.rstrip()))
        result = re.sub(r"%(\w+)", rename, result)
        shape, element = split_type(result_type)
        if element != self.element:
            self.body.append(
                f"{result}_float = nn.convert {result} : {result_type} to "
                f"{make_type(shape, self.element)}")
            result, element = f"{result}_float", self.element
        full = make_type(shape, element)
        fixed = [e for e in shape if e is not None]
        values = draw(len(arguments), "", fixed, element)
        weight = self.parameter(name, fixed, element, values)
        if fixed != shape:
            dims = ", ".join(str(i) for i, e in enumerate(shape) if e is None)
            self.body.append(f"{weight}_all = nn.broadcast {weight} dims "
                             f"[{dims}] : {make_type(fixed, element)} to {full}")
            weight += "_all"
        product = f"%{name}_product"
        self.body.append(f"{product} = nn.mul {result}, {weight} : {full}")
        self.add_sum(product, shape)

    def write(self):
        loss = self.losses[0]
        for number, term in enumerate(self.losses[1:]):
            self.body.append(f"%loss{number} = nn.add {loss}, {term} : "
                             f"tensor<{self.element}>")
            loss = f"%loss{number}"
        with open(os.path.join(self.folder, "model.mlir"), "w") as out:
            out.write("func.func @ops(\n    " + ",\n    ".join(self.arguments))
            out.write(f")\n    -> (tensor<{self.element}> {{train.result = "
                      "#train.result<loss>, train.name = \"loss\"})\n    attributes {"
                      f"train.model, train.batch = {BATCH} : i64, "
                      "train.schedule = #train.constant} {\n")
            out.write("\n".join(self.body))
            out.write(f"\nreturn {loss} : tensor<{self.element}>\n}}\n")
        write_safetensors(os.path.join(self.folder, "init.safetensors"),
                          self.tensors)


def main():
    path, folder, element = (sys.argv[1:] + ["f32"])[:3]
    with open(path) as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    if element == "f64":
        text = re.sub(r"\bf32\b|(?<=x)f32\b", "f64", text)
    model = Model(folder, element)
    # Every model needs a batch.
    model.batch_input("batch", [None], element, [0.0] * BATCH)
    found = list(FUNCTION.finditer(text))
    if len(found) != len(re.findall(r"^func\.func", text, re.M)):
        sys.exit(f"{path}: expected functions with one result")
    for match in found:
        name, arguments, result_type, body, result = match.groups()
        listed = [(a, t, attributes or "")
                  for a, t, attributes in ARGUMENT.findall(arguments)]
        if len(listed) != arguments.count("%"):
            sys.exit(f"{path}: {name}: expected arguments that are tensors")
        model.function(name, listed, result_type, body, result)
    model.write()
    print(",".join(model.inputs))


main()
