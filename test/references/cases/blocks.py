"""Blocks of well-known networks, as transformers and torchvision have them."""

import os
import zlib

import numpy as np
import torch
import torch.nn.functional as F
import torchvision
import transformers
from transformers.models.gpt2.modeling_gpt2 import GPT2Block
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

from framework import BATCH, versions, write_case


def draw(name, shape, scale=1.0, mean=0.0):
    random = np.random.default_rng(zlib.crc32(name.encode()))
    value = mean + scale * random.standard_normal(shape)
    return value.astype(np.float32).astype(np.float64)


class Block:
    """A module, inputs, and a loss of both; `rename` takes names of parameters
    to those of blocks/NAME.acr. With `optimizer`, which makes one from the
    module, five steps instead of gradients."""

    def __init__(self, name, source, make, inputs, loss, rename=lambda n: n,
                 optimizer=None):
        self.name, self.source, self.make = name, source, make
        self.inputs, self.loss, self.rename = inputs, loss, rename
        self.optimizer = optimizer

    def generate(self, folder):
        torch.manual_seed(0)
        module = self.make().double()
        # GPT-2 stores these as [in, out].
        transposed = {f"{path}.weight" for path, part in
                      module.named_modules()
                      if isinstance(part, transformers.pytorch_utils.Conv1D)}
        parameters = dict(module.named_parameters())
        for name, parameter in parameters.items():
            gain = parameter.dim() == 1 and name.endswith("weight")
            parameter.data = torch.tensor(
                draw(f"{self.name}.{name}", parameter.shape,
                     0.2 if gain else 0.5, 1.0 if gain else 0.0))

        def export(name, tensor):
            value = tensor.detach().numpy().copy()
            return self.rename(name), value.T if name in transposed else value

        inputs = {name: value for name, value in self.inputs.items()}
        inputs.update(export(*item) for item in parameters.items())
        tensors = {name: torch.tensor(value)
                   for name, value in self.inputs.items()}
        results, gradients, after = {}, {}, {}
        if self.optimizer:
            optimizer = self.optimizer(module)
            results["loss"] = []
            for _ in range(5):
                optimizer.zero_grad()
                loss = self.loss(module, tensors)
                loss.backward()
                optimizer.step()
                results["loss"].append(loss.item())
            after = dict(export(*item) for item in parameters.items())
        else:
            loss = self.loss(module, tensors)
            loss.backward()
            results["loss"] = [loss.item()]
            gradients = dict(export(name, parameter.grad)
                             for name, parameter in parameters.items())
        write_case(os.path.join(folder, self.name + ".safetensors"), inputs,
                   results, gradients, after,
                   {"frameworks": versions("torch", self.source),
                    "steps": str(len(results["loss"]))})


def regression(*shape):
    """Inputs x and y of this shape per sample."""
    return {name: draw(f"regression.{name}.{shape}", (BATCH, *shape))
            for name in ("x", "y")}


def gpt2_config(**sizes):
    return transformers.GPT2Config(
        n_positions=6, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0,
        attn_implementation="sdpa", **sizes)


def gpt2_loss(module, inputs):
    logits = module(input_ids=inputs["token"].long()).logits
    return F.cross_entropy(logits.flatten(0, 1), inputs["target"].flatten().long())


def tokens(length, high):
    random = np.random.default_rng(7)
    text = random.integers(0, high, (BATCH, length + 1)).astype(np.int32)
    return {"token": text[:, :-1].copy(), "target": text[:, 1:].copy()}


def small_gpt2():
    return transformers.GPT2LMHeadModel(
        gpt2_config(vocab_size=11, n_embd=4, n_layer=2, n_head=2))


def train_gpt2(module):
    """No decay of biases and gains, and no step of the positions."""
    module.transformer.wpe.weight.requires_grad_(False)
    trained = [p for p in module.parameters() if p.requires_grad]
    return torch.optim.AdamW(
        [{"params": [p for p in trained if p.dim() > 1], "weight_decay": 0.1},
         {"params": [p for p in trained if p.dim() == 1], "weight_decay": 0}],
        lr=0.01, betas=(0.9, 0.95), eps=1e-4)


def llama_layer():
    config = transformers.LlamaConfig(
        hidden_size=8, intermediate_size=12, num_attention_heads=4,
        num_key_value_heads=2, attn_implementation="sdpa")
    layer = LlamaDecoderLayer(config, 0)
    # The one of transformers computes in f32.
    layer.input_layernorm = torch.nn.RMSNorm(8, eps=1e-6)
    layer.post_attention_layernorm = torch.nn.RMSNorm(8, eps=1e-6)
    return layer


def llama_loss(layer, inputs):
    length, width = inputs["x"].shape[1], 2
    frequency = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float64)
                            / width)
    angle = torch.arange(length, dtype=torch.float64)[:, None] * frequency
    angle = torch.cat([angle, angle], -1)[None]
    y = layer(inputs["x"], position_embeddings=(angle.cos(), angle.sin()))
    if isinstance(y, tuple):
        y = y[0]
    return F.mse_loss(y, inputs["y"])


def basic_block():
    return torchvision.models.resnet.BasicBlock(
        2, 3, stride=2, downsample=torch.nn.Sequential(
            torch.nn.Conv2d(2, 3, 1, stride=2, bias=False),
            torch.nn.BatchNorm2d(3)))


def first(value):
    return value[0] if isinstance(value, tuple) else value


BLOCKS = [
    Block("gpt2_block", "transformers",
          lambda: GPT2Block(gpt2_config(n_embd=8, n_head=2), 0),
          regression(4, 8),
          lambda module, inputs: F.mse_loss(first(module(inputs["x"])),
                                            inputs["y"])),
    Block("llama_block", "transformers", llama_layer, regression(4, 8),
          llama_loss),
    Block("resnet_block", "torchvision", basic_block,
          {"x": draw("resnet.x", (BATCH, 2, 5, 4)),
           "y": draw("resnet.y", (BATCH, 3, 3, 2))},
          lambda module, inputs: F.mse_loss(module(inputs["x"]), inputs["y"]),
          lambda name: name.replace("downsample.0", "downsample_conv").replace(
              "downsample.1", "downsample_bn")),
    Block("small_gpt2", "transformers", small_gpt2, tokens(6, 11), gpt2_loss,
          lambda name: name.removeprefix("transformer.")),
    Block("small_gpt2_training", "transformers", small_gpt2, tokens(6, 11),
          gpt2_loss, lambda name: name.removeprefix("transformer."),
          train_gpt2),
]
