"""Five steps of every optimizer on a small regression."""

import os

import jax
import jax.numpy as jnp
import numpy as np
import optax
import torch

from framework import AGREEMENT, rows, versions, weight, write_case

STEPS = 5

MODEL = """\
# Written by generate.py; values of {frameworks}.
# RUN: %check_reference %s %t --splits='--micro-batch 3 --remat full'
# RUN: env 'EMULATE=%emulate' %check_reference %s %t.cuda --cuda --types {types}
model {name}(x: f32[batch, 3], y: f32[batch, 2]) {{
  param w: f32[3, 2] = zeros()
  param bias: f32[2] = zeros()
  loss mean(square(tanh(x @ w + bias) - y))
}}
train {name} {{
  batch = 4
  optimizer = {text}
{options}}}
"""


class Optimizer:
    """An optimizer of the model language, and makers of the same one: of
    PyTorch from parameters, of Optax from nothing. `options` are further lines
    of the train block, `types` those of emitted programs."""

    def __init__(self, name, text, torch=None, optax=None, options=(),
                 types="f32"):
        self.name, self.text = name, text
        self.torch, self.optax = torch, optax
        self.options, self.types = options, types

    def generate(self, folder):
        operands = {"x": rows(3), "y": rows(2), "w": weight(3, 2),
                    "bias": weight(2)}
        inputs = {name: operand.draw(f"optimizer.{name}")
                  for name, operand in operands.items()}
        runs = {}
        if self.torch:
            runs["torch"] = self.run_torch(inputs)
        if self.optax:
            runs["optax"] = self.run_optax(inputs)
        outputs, after = next(iter(runs.values()))
        for other_outputs, other_after in runs.values():
            for name in outputs:
                np.testing.assert_allclose(outputs[name], other_outputs[name],
                                           AGREEMENT)
            for name in after:
                np.testing.assert_allclose(after[name], other_after[name],
                                           AGREEMENT)
        path = os.path.join(folder, self.name)
        write_case(path + ".safetensors", inputs, outputs, {}, after,
                   {"frameworks": versions(*runs), "steps": str(STEPS)})
        with open(path + ".acr", "w") as file:
            file.write(MODEL.format(
                name=self.name, text=self.text, types=self.types,
                options="".join(f"  {line}\n" for line in self.options),
                frameworks=" and ".join(runs)))

    def run_torch(self, inputs):
        x, y = torch.tensor(inputs["x"]), torch.tensor(inputs["y"])
        parameters = {name: torch.tensor(inputs[name], requires_grad=True)
                      for name in ("w", "bias")}
        optimizer = self.torch(list(parameters.values()))
        losses, norms = [], []
        for _ in range(STEPS):
            optimizer.zero_grad()
            loss = (torch.tanh(x @ parameters["w"] + parameters["bias"])
                    - y).square().mean()
            loss.backward()
            norms.append(torch.nn.utils.get_total_norm(
                [p.grad for p in parameters.values()]).item())
            optimizer.step()
            losses.append(loss.item())
        return ({"loss": losses, "grad_norm": norms},
                {k: v.detach().numpy() for k, v in parameters.items()})

    def run_optax(self, inputs):
        def loss(parameters):
            value = jnp.tanh(inputs["x"] @ parameters["w"] + parameters["bias"])
            return jnp.square(value - inputs["y"]).mean()
        parameters = {name: jnp.array(inputs[name]) for name in ("w", "bias")}
        optimizer = self.optax()
        state = optimizer.init(parameters)
        losses, norms = [], []
        for _ in range(STEPS):
            value, gradients = jax.value_and_grad(loss)(parameters)
            updates, state = optimizer.update(gradients, state, parameters)
            parameters = optax.apply_updates(parameters, updates)
            losses.append(float(value))
            norms.append(float(optax.global_norm(gradients)))
        return ({"loss": losses, "grad_norm": norms},
                {k: np.asarray(v) for k, v in parameters.items()})


T = torch.optim

OPTIMIZERS = [
    Optimizer("sgd", "sgd(lr = 0.1)", lambda p: T.SGD(p, lr=0.1),
              lambda: optax.sgd(0.1)),
    Optimizer("sgd_momentum",
              "sgd(lr = 0.1, momentum = 0.9, weight_decay = 0.01)",
              lambda p: T.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01)),
    Optimizer("sgd_nesterov", "sgd(lr = 0.1, momentum = 0.9, nesterov = true)",
              lambda p: T.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
              lambda: optax.sgd(0.1, momentum=0.9, nesterov=True)),
    Optimizer("adam", "adam(lr = 0.1, betas = (0.8, 0.95), eps = 1e-6)",
              lambda p: T.Adam(p, lr=0.1, betas=(0.8, 0.95), eps=1e-6),
              lambda: optax.adam(0.1, b1=0.8, b2=0.95, eps=1e-6)),
    Optimizer("adam_weight_decay", "adam(lr = 0.1, weight_decay = 0.1)",
              lambda p: T.Adam(p, lr=0.1, weight_decay=0.1)),
    Optimizer("adamw", "adamw(lr = 0.1, weight_decay = 0.1)",
              lambda p: T.AdamW(p, lr=0.1, weight_decay=0.1),
              lambda: optax.adamw(0.1, weight_decay=0.1)),
    Optimizer("lamb", "lamb(lr = 0.05, weight_decay = 0.1)", None,
              lambda: optax.lamb(0.05, weight_decay=0.1)),
    Optimizer("lars", "lars(lr = 2, weight_decay = 0.1)", None,
              lambda: optax.lars(2, weight_decay=0.1)),
    Optimizer("lars_options",
              "lars(lr = 0.5, momentum = 0.8, nesterov = true, "
              "weight_decay = 0.01, trust_coefficient = 0.1, eps = 0.05)",
              None,
              lambda: optax.lars(0.5, weight_decay=0.01, trust_coefficient=0.1,
                                 eps=0.05, momentum=0.8, nesterov=True)),
    Optimizer("lion", "lion(lr = 0.05, weight_decay = 0.1)", None,
              lambda: optax.lion(0.05, weight_decay=0.1)),
    Optimizer("adagrad", "adagrad(lr = 0.1)",
              lambda p: T.Adagrad(p, lr=0.1)),
    Optimizer("adagrad_options",
              "adagrad(lr = 0.1, lr_decay = 0.1, weight_decay = 0.01, "
              "initial_accumulator_value = 0.1, eps = 1e-6)",
              lambda p: T.Adagrad(p, lr=0.1, lr_decay=0.1, weight_decay=0.01,
                                  initial_accumulator_value=0.1, eps=1e-6)),
    Optimizer("rmsprop", "rmsprop(lr = 0.02)",
              lambda p: T.RMSprop(p, lr=0.02)),
    Optimizer("rmsprop_options",
              "rmsprop(lr = 0.02, alpha = 0.9, eps = 1e-6, "
              "weight_decay = 0.01, momentum = 0.5, centered = true)",
              lambda p: T.RMSprop(p, lr=0.02, alpha=0.9, eps=1e-6,
                                  weight_decay=0.01, momentum=0.5,
                                  centered=True)),
    # What all gradients share: the norm, what clips by it, the schedule.
    Optimizer("clipped", "sgd(lr = 0.5, momentum = 0.5)", None,
              lambda: optax.chain(
                  optax.clip_by_global_norm(0.3),
                  optax.sgd(optax.cosine_decay_schedule(0.5, 7), momentum=0.5)),
              options=["schedule = cosine(steps = 7)", "clip_norm = 0.3"],
              types="f32,f64"),
]
