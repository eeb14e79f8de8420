"""A step of training: the loss of a batch, its gradients, and the update."""
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from data import Batches
from optimization import kept, move
from processes import sum_gradients

WARM_UP = 3  # steps before one is captured: kernels are compiled and chosen in them


@dataclass
class Mode:
    """How a step is computed; the same numbers follow, up to rounding."""

    mixed: bool  # bfloat16 where it is accurate enough
    compiled: bool  # by torch.compile
    captured: bool  # as a CUDA graph


class Step:
    """Computes one step after another. A captured step is one launch for the processor, which then cannot be what limits
    the speed. All that differs from step to step is in tensors that stay at their places."""

    def __init__(self, model: nn.Module, average: nn.Module, optimizer: torch.optim.Optimizer, batches: Batches, mode: Mode):
        self.model, self.optimizer, self.batches, self.mode = model, optimizer, batches, mode
        self.pairs = list(zip(average.state_dict().values(), model.state_dict().values()))
        self.kept = torch.zeros((), device=batches.images.device)
        self.move = torch.compile(move) if mode.compiled else move
        self.parameters = list(model.parameters())
        self.loss = torch.compile(self.batch_loss, dynamic=False) if mode.compiled else self.batch_loss
        self.graph: torch.cuda.CUDAGraph | None = None
        self.done = 0
        counts = torch.bincount(batches.labels, minlength=10).to(torch.get_default_dtype())
        balanced = batches.count / ((counts > 0).sum() * counts)
        self.weights = torch.where(counts > 0, balanced, 0)  # by class

    def __call__(self) -> Tensor:
        """Trains on the next batch. The loss is this process's part of it."""
        self.batches.next()
        self.kept.fill_(kept(self.batches.step, self.batches.size))
        if self.mode.captured and self.graph is None and self.done >= WARM_UP:
            self.capture()
        if self.graph is None:
            self.done += 1
            return self.compute()
        self.graph.replay()
        return self.result.clone()

    def capture(self) -> None:
        self.graph = torch.cuda.CUDAGraph()
        stream = torch.cuda.current_stream()
        # Other threads, such as NCCL's, may use the GPU meanwhile.
        with torch.cuda.graph(self.graph, stream=stream, capture_error_mode="thread_local"):
            self.result = self.compute()

    def compute(self) -> Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss()
        loss.backward()
        sum_gradients(self.parameters)
        self.optimizer.step()
        self.move(self.pairs, self.kept)
        return loss.detach()

    def batch_loss(self) -> Tensor:
        """The sum over this process's images, divided by the weight of all: its sum over the processes is the mean."""
        x, y = self.batches()
        with torch.autocast(x.device.type, torch.bfloat16, enabled=self.mode.mixed):
            logits = self.model(x)
        logits = logits.float()
        return F.cross_entropy(logits, y, self.weights, reduction="sum") / self.total_weight()

    def total_weight(self) -> Tensor:
        """Of all images of the batch. Images without weight change nothing."""
        return self.weights[self.batches.labels[self.batches.samples]].sum().clamp(min=1e-30)
