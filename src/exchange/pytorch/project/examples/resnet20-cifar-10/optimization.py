"""The optimiser, the learning rate and the moving average."""
import math

import torch
from torch import Tensor, nn

from settings import LEARNING_RATE, STEPS, WARMUP_STEPS


def learning_rate(step: float) -> float:
    """The learning rate of a step, counted from 0. Half a cosine down to 0, like CosineAnnealingLR, after a linear warm-up of WARMUP_STEPS."""
    if step < WARMUP_STEPS:
        return LEARNING_RATE * (step + 1) / WARMUP_STEPS
    t = min(step, STEPS - 1) - WARMUP_STEPS
    return LEARNING_RATE * (1 + math.cos(math.pi * t / (STEPS - WARMUP_STEPS))) / 2


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
    alike: dict = {}
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        kind = parameter.ndim > 1
        alike.setdefault(kind, []).append(parameter)
    groups = [
        {
            "params": parameters,
            "weight_decay": 0.0005 if decayed else 0.0,
        }
        for decayed, parameters in alike.items()
    ]
    optimizer = torch.optim.SGD(groups, lr=LEARNING_RATE, momentum=0.9, nesterov=True, fused=device.type == "cuda")
    optimizer.load_state_dict({**optimizer.state_dict(), "state": saved})
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if value.shape == parameter.shape:
                state[name] = torch.empty_like(parameter).copy_(value)  # in the parameter's memory format
    if captured:
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(float(group["lr"]), device=device)
    return optimizer


def kept(step: int) -> float:
    """The part of the moving average that is kept in a step, counted from 0; early steps count more."""
    t = step + 1
    return min(0.99, (1 + t) / (10 + t))


@torch.no_grad()
def move(pairs: list[tuple[Tensor, Tensor]], kept: Tensor) -> None:
    """Moves each average, the first of a pair, towards its value."""
    for mean, value in pairs:
        if value.is_floating_point():
            mean.lerp_(value, 1 - kept)
        else:
            mean.copy_(value)
