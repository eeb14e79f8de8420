"""The optimiser, the learning rate and lookahead."""
import math

import torch
from torch import Tensor, nn

from settings import BATCH_SIZE, LEARNING_RATE, STEPS


def learning_rate(step: float) -> float:
    """The learning rate of a step, counted from 0. Up to LEARNING_RATE and down again, each along half a cosine, like OneCycleLR."""
    t = min(step, STEPS - 1)
    top = 0.3 * STEPS - 1
    first, last = LEARNING_RATE / 25, LEARNING_RATE / 250000
    if t <= top:
        return anneal(first, LEARNING_RATE, t / top)
    return anneal(LEARNING_RATE, last, (t - top) / (STEPS - 1 - top))


def anneal(start: float, end: float, part: float) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * part)) / 2


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
    optimizer = torch.optim.RMSprop(model.parameters(), lr=LEARNING_RATE, momentum=0.9, centered=True, capturable=captured)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": saved})
    for parameter, state in optimizer.state.items():
        for name, value in state.items():
            if value.shape == parameter.shape:
                state[name] = torch.empty_like(parameter).copy_(value)  # in the parameter's memory format
    if captured:
        for group in optimizer.param_groups:
            group["lr"] = torch.tensor(float(group["lr"]), device=device)
    return optimizer


def kept(step: int, batch: int) -> float:
    """The part of the slow weights that is kept in a step, counted from 0, of so many images: all of it, unless the trained
    weights return to the slow ones in it (lookahead: Zhang et al. 2019)."""
    t = step + 1
    part = min(t * batch / BATCH_SIZE / STEPS, 1)
    return 0.95**5 * part**3 if t % 5 == 0 else 1


@torch.no_grad()
def move(pairs: list[tuple[Tensor, Tensor]], kept: Tensor) -> None:
    """Moves each slow weight, the first of a pair, towards the trained one, which returns to it if the slow one has moved."""
    for slow, fast in pairs:
        if fast.is_floating_point():
            slow.lerp_(fast, 1 - kept)
            fast.copy_(torch.where(kept < 1, slow, fast))
        else:
            slow.copy_(fast)
