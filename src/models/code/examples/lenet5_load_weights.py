"""load() returns the model with its weights. Images are [N, H, W, C], normalised: (pixels - MEAN) / STD, with pixels from 0 to 1."""
import json
from pathlib import Path

import numpy as np

from model import lenet5

MEAN = [0.5]
STD = [0.25]
WEIGHTS = Path(__file__).with_name("lenet5.safetensors")
# In the order of a Keras layer's weights.
NAMES = ["weight", "bias", "running_mean", "running_var"]


def tensors_in(path):
    """The tensors of a safetensors file by their names, in which layers are written as in model.py: with _ for dots."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, about in header.items():
        first, last = about["data_offsets"]
        layer, _, own = name.rpartition(".")
        tensor = np.frombuffer(data[start + first : start + last], "<f4").reshape(about["shape"])
        tensors[f"{layer.replace('.', '_')}.{own}"] = tensor
    return tensors


def as_in_keras(values, shape):
    """A PyTorch tensor in the layout of Keras, whose weight has this shape."""
    if values.ndim == 2:
        return values.T
    if values.ndim == 4 and values.shape[1] == 1 and shape[2:] != (1, values.shape[0]):
        # Depthwise: [K, 1, R, S] as [R, S, C, K / C].
        return values.reshape(shape[2], shape[3], *shape[:2]).transpose(2, 3, 0, 1)
    return values.transpose(2, 3, 1, 0) if values.ndim == 4 else values.reshape(shape)


def load(path=WEIGHTS):
    model = lenet5()
    tensors = tensors_in(path)
    for layer in model.layers:
        names = [f"{layer.name}.{name}" for name in NAMES]
        own = [tensors[name] for name in names if name in tensors]
        shapes = [tuple(weight.shape) for weight in layer.weights]
        if own:
            layer.set_weights([as_in_keras(*pair) for pair in zip(own, shapes, strict=True)])
    return model


if __name__ == "__main__":
    load().save("model.keras")
