/** The project's evaluation.py: loss and accuracy over the test images. */
import { lines, sections } from './python.ts';
import { uses, type ProjectSubject } from './subject.ts';

/** How the logits of a test image are computed, by the run's setting. */
const VIEWS = {
  one: { says: '', logits: 'model(x)' },
  mirrored: {
    says: ', from the mean logits of each image and its mirror image',
    logits: '(model(x) + model(x.flip(3))) / 2',
  },
  shifted: {
    says: ', from the mean logits of six views',
    logits: 'sum(weight * model(view) for weight, view in views(x))',
  },
};

export function evaluationText(subject: ProjectSubject): string {
  const { testViews, validation } = subject.settings;
  const normalises = uses(subject, 'batch_norm');
  const [which, parameter, prefix] =
    validation > 0 ? ['images', 'name: str, ', 'f"{name}_'] : ['the test images', '', '"test_'];
  return sections(
    lines(
      `"""Loss and accuracy over ${which}."""`,
      'import torch',
      'from torch import Tensor, nn',
      'from torch.nn import functional as F',
      '',
      'from data import Batches',
      `from processes import ${normalises ? 'PROCESSES, ' : ''}share, summed`,
    ),
    `@torch.no_grad()
def evaluate(${parameter}model: nn.Module, batches: Batches, images: Tensor, labels: Tensor, mixed: bool) -> dict[str, float]:
    """Loss and accuracy over ${which}${VIEWS[testViews].says}. Each process computes its share."""
    model.eval()
    sums = torch.zeros(2, dtype=torch.float64, device=images.device)
    for rows in torch.tensor(share(len(images)), device=images.device).split(1000):
        x = batches.normalised(images[rows])
        with torch.autocast(x.device.type, torch.bfloat16, enabled=mixed):
            logits = ${VIEWS[testViews].logits}
        logits = logits.float()
        sums[0] += F.cross_entropy(logits, labels[rows], reduction="sum")
        sums[1] += (logits.argmax(1) == labels[rows]).sum()
    loss, accuracy = (summed(sums) / len(images)).tolist()
    return {${prefix}loss": loss, ${prefix}accuracy": accuracy}`,
    testViews === 'shifted' &&
      `def views(images):
    """Six views and their weights: the images, shifted by a pixel up and left, shifted down and right, and the mirror image of
    each."""
    bordered = F.pad(images, [1] * 4, mode="reflect")
    for weight, view in (1 / 4, images), (1 / 8, bordered[:, :, :-2, :-2]), (1 / 8, bordered[:, :, 2:, 2:]):
        yield weight, view
        yield weight, view.flip(3)`,
    normalises &&
      `@torch.no_grad()
def share_statistics(model: nn.Module) -> None:
    """Running statistics of batch norm become their means over the processes, each of which has seen other images."""
    for buffer in model.buffers():
        if PROCESSES > 1 and buffer.is_floating_point():
            buffer.copy_(summed(buffer.clone()) / PROCESSES)`,
  );
}
