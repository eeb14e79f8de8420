"""The optimiser and the learning rate."""

import torch
from torch import nn

from settings import LEARNING_RATE


def learning_rate(step: float) -> float:
    """The learning rate of a step, counted from 0: it stays constant."""
    return LEARNING_RATE


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    for group in optimizer.param_groups:
        value = rate
        if torch.is_tensor(group["lr"]):
            group["lr"].fill_(value)  # a CUDA graph reads it there
        else:
            group["lr"] = value


def make_optimizer(model: nn.Module, saved: dict[int, dict], captured: bool) -> torch.optim.Optimizer:
    """The optimiser in the state that was saved. `captured`: its step becomes part of a CUDA graph."""
    device = next(model.parameters()).device
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, fused=device.type == "cuda", capturable=captured)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": saved})
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if value.shape == parameter.shape:
                state[name] = torch.empty_like(parameter).copy_(value)  # in the parameter's memory format
    if captured:
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(float(group["lr"]), device=device)
    return optimizer
