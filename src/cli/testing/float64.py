"""Runs the project's train.py in float64. In float32 there may be an activation so close to 0 that rounding decides whether a
ReLU passes it: what differs then is as correct, but differs by more in every step."""
import runpy

import torch

torch.set_default_dtype(torch.float64)
torch.Tensor.float = torch.Tensor.double
runpy.run_path("train.py", run_name="__main__")
