import { NEWTON_SCHULZ } from '../../../../engine/optimizers/muon-matrices.ts';
import type { ProjectSubject } from '../subject.ts';
import { unless, type TorchOptimizer } from '../optimizer.ts';

/** The project's muon.py. */
function muonText({
  settings: { nsSteps, rescale, weightDecay, lrFactors, trainedEpochs },
}: ProjectSubject): string {
  const { A, B, C } = NEWTON_SCHULZ;
  const keepsValues =
    rescale && lrFactors.length > 0
      ? '\n            if group.get("factor") == 0:\n                continue  # it is not rescaled either'
      : '';
  return `"""Muon (Jordan et al. 2024): the update of a weight matrix is its momentum, with all singular values brought near 1."""
import math

import torch
from torch import Tensor


class Muon(torch.optim.Optimizer):
    """Filters count as matrices [K, C x R x S]. Groups with matrix=False are updated by SGD."""

    def __init__(self, groups: list[dict], lr: float, momentum: float, eps: float, nesterov=False, weight_decay=0.0):
        super().__init__(groups, dict(lr=lr, momentum=momentum, eps=eps, nesterov=nesterov, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:${keepsValues}
            lr, momentum = group["lr"], group["momentum"]
            for p in group["params"]:${trainedEpochs.length > 0 ? '\n                if p.grad is None:\n                    continue' : ''}
                gradient = p.grad if group["matrix"] else p.grad + group["weight_decay"] * p
                state = self.state[p]
                if not state:
                    state["momentum_buffer"] = torch.zeros_like(p)
                buffer = state["momentum_buffer"]
                buffer.mul_(momentum).add_(gradient)
                update = gradient + momentum * buffer if group["nesterov"] else buffer
                if group["matrix"]:
${
  rescale
    ? '                    p.mul_(math.sqrt(len(p)) / p.norm())\n                    longer = 1'
    : `${weightDecay > 0 ? '                    p.mul_(1 - lr * group["weight_decay"])\n' : ''}                    longer = math.sqrt(max(1, len(p) / p[0].numel()))`
}
                    update = longer * orthogonal(update.flatten(1), group["eps"]).view_as(p)
                p.sub_(lr * update)


def orthogonal(matrix: Tensor, eps: float) -> Tensor:
    """About the nearest matrix whose singular values are 1, by Newton-Schulz iterations."""
    x = matrix / (matrix.norm() + eps)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    for _ in range(${nsSteps}):
        y = x @ x.T
        x = ${A} * x + (${B} * y + ${C} * y @ y) @ x
    return x.T if tall else x
`;
}

export default {
  name: 'muon',
  kind: 'Muon',
  module: { file: 'muon.py', text: muonText },
  settings: ({ momentum, nesterov, eps }) => [
    `momentum=${momentum}`,
    `eps=${eps}`,
    ...unless('nesterov', nesterov, false),
  ],
  states: () => ['momentum_buffer'],
} satisfies TorchOptimizer;
