/** The project's step.py: what a step of training computes, on a GPU as one CUDA graph. */
import { lines, list, sections } from './python.ts';
import { isAveraged, uses, type ProjectSubject } from './subject.ts';

export function stepText(subject: ProjectSubject): string {
  const { lookahead, clipNorm, labelSmoothing, augmentation, trainedEpochs, classWeights } = subject.settings;
  const [averages, mixes] = [isAveraged(subject), augmentation.mixup > 0];
  const [pauses, drops] = [trainedEpochs.length > 0, uses(subject, 'dropout')];
  const smoothing = labelSmoothing > 0 ? `, label_smoothing=${labelSmoothing}` : '';
  const weighted = classWeights === undefined ? '' : ', self.weights';
  const entropy = (labels: string) =>
    `F.cross_entropy(logits, ${labels}${weighted}, reduction="sum"${smoothing})`;
  const total = weighted === '' ? 'self.batches.size' : 'self.total_weight()';
  return sections(
    lines(
      `"""A step of training: the loss of a batch, its gradients, and the update."""
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from data import Batches`,
      averages && 'from optimization import kept, move',
      `from processes import ${drops ? 'RANK, ' : ''}sum_gradients`,
      drops && 'from random_numbers import step_seed',
      (drops || pauses) &&
        `from settings import ${[...(drops ? ['SEED'] : []), ...(pauses ? ['TRAINED_EPOCHS'] : [])].join(', ')}`,
      `
WARM_UP = 3  # steps before one is captured: kernels are compiled and chosen in them`,
    ),
    `@dataclass
class Mode:
    """How a step is computed; the same numbers follow, up to rounding."""

    mixed: bool  # bfloat16 where it is accurate enough
    compiled: bool  # by torch.compile
    captured: bool  # as a CUDA graph`,
    lines(
      `class Step:
    """Computes one step after another. A captured step is one launch for the processor, which then cannot be what limits
    the speed. All that differs from step to step is in tensors that stay at their places."""

    def __init__(self, model: nn.Module, ${averages ? 'average: nn.Module, ' : ''}optimizer: torch.optim.Optimizer, batches: Batches, mode: Mode):
        self.model, self.optimizer, self.batches, self.mode = model, optimizer, batches, mode`,
      averages &&
        `        self.pairs = list(zip(average.state_dict().values(), model.state_dict().values()))
        self.kept = torch.zeros((), device=batches.images.device)
        self.move = torch.compile(move) if mode.compiled else move`,
      `        self.parameters = list(model.parameters())
        self.loss = torch.compile(self.batch_loss, dynamic=False) if mode.compiled else self.batch_loss
        self.graph: torch.cuda.CUDAGraph | None = None
        self.done = 0`,
      classWeights !== undefined && weightsText(classWeights, subject.model.classes),
      pauses && '        self.paused: list[str] = []  # parameters that are not trained in this epoch',
      `
    def __call__(self) -> Tensor:
        """Trains on the next batch. The loss is this process's part of it."""
        self.batches.next()`,
      drops && `        torch.manual_seed(step_seed(SEED, self.batches.step) + RANK)  # for dropout`,
      averages &&
        `        self.kept.fill_(kept(self.batches.step${lookahead === undefined ? '' : ', self.batches.size'}))`,
      pauses &&
        `        paused = [name for name, epochs in TRAINED_EPOCHS.items() if self.batches.epoch + 1 not in epochs]
        if paused != self.paused:
            self.paused, self.graph, self.done = paused, None, 0`,
      `        if self.mode.captured and self.graph is None and self.done >= WARM_UP:
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
        loss.backward()`,
      pauses &&
        `        for name in self.paused:
            self.model.get_parameter(name).grad = None  # keeps its value`,
      '        sum_gradients(self.parameters)',
      clipNorm !== undefined && `        torch.nn.utils.clip_grad_norm_(self.parameters, ${clipNorm})`,
      '        self.optimizer.step()',
      averages && '        self.move(self.pairs, self.kept)',
      `        return loss.detach()

    def batch_loss(self) -> Tensor:
        """The sum over this process's images, divided by the ${weighted === '' ? 'number' : 'weight'} of all: its sum over the processes is the mean."""`,
      mixes ? '        x, y, other, weight = self.batches()' : '        x, y = self.batches()',
      `        with torch.autocast(x.device.type, torch.bfloat16, enabled=self.mode.mixed):
            logits = self.model(x)
        logits = logits.float()`,
      mixes
        ? `        first, second = ${entropy('y')}, ${entropy('other')}
        return (weight * first + (1 - weight) * second) / ${total}`
        : `        return ${entropy('y')} / ${total}`,
      classWeights !== undefined &&
        `
    def total_weight(self) -> Tensor:
        """Of all images of the batch. Images without weight change nothing."""
        return self.weights[self.batches.labels[self.batches.samples]].sum().clamp(min=1e-30)`,
    ),
  );
}

/** How much an image counts, by its class. */
const weightsText = (weights: 'balanced' | readonly number[], classes: number): string =>
  weights === 'balanced'
    ? `        counts = torch.bincount(batches.labels, minlength=${classes}).to(torch.get_default_dtype())
        balanced = batches.count / ((counts > 0).sum() * counts)
        self.weights = torch.where(counts > 0, balanced, 0)  # by class`
    : `        self.weights = torch.tensor(${list(weights)}, device=batches.images.device).to(torch.get_default_dtype())  # by class`;
