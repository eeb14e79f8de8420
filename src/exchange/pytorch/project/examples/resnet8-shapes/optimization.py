"""The optimiser and the learning rate."""

import torch
from torch import nn

from muon import Muon
from settings import LEARNING_RATE, LEARNING_RATE_FACTORS, WEIGHT_DECAY_FACTORS


def learning_rate(step: float) -> float:
    """The learning rate of a step, counted from 0: it stays constant."""
    return LEARNING_RATE


def set_learning_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    for group in optimizer.param_groups:
        value = group["factor"] * rate
        if torch.is_tensor(group["lr"]):
            group["lr"].fill_(value)  # a CUDA graph reads it there
        else:
            group["lr"] = value


def make_optimizer(model: nn.Module, saved: dict[int, dict], captured: bool) -> torch.optim.Optimizer:
    """The optimiser in the state that was saved. `captured`: its step becomes part of a CUDA graph."""
    device = next(model.parameters()).device
    alike: dict = {}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        kind = (LEARNING_RATE_FACTORS.get(name, 1), WEIGHT_DECAY_FACTORS.get(name, 1), parameter.ndim > 1 and name != "fc.weight")
        alike.setdefault(kind, []).append(parameter)
    groups = [
        {
            "params": parameters,
            "factor": factor,
            "lr": factor * LEARNING_RATE,
            "weight_decay": decay * 0.01,
            "matrix": matrix,
        }
        for (factor, decay, matrix), parameters in alike.items()
    ]
    optimizer = Muon(groups, lr=LEARNING_RATE, momentum=0.95, eps=1e-7, nesterov=True)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": saved})
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if value.shape == parameter.shape:
                state[name] = torch.empty_like(parameter).copy_(value)  # in the parameter's memory format
    if captured:
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(float(group["lr"]), device=device)
    return optimizer
