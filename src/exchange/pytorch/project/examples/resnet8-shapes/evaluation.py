"""Loss and accuracy over the test images."""
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from data import Batches
from processes import PROCESSES, share, summed


@torch.no_grad()
def evaluate(model: nn.Module, batches: Batches, images: Tensor, labels: Tensor, mixed: bool) -> dict[str, float]:
    """Loss and accuracy over the test images, from the mean logits of six views. Each process computes its share."""
    model.eval()
    sums = torch.zeros(2, dtype=torch.float64, device=images.device)
    for rows in torch.tensor(share(len(images)), device=images.device).split(1000):
        x = batches.normalised(images[rows])
        with torch.autocast(x.device.type, torch.bfloat16, enabled=mixed):
            logits = sum(weight * model(view) for weight, view in views(x))
        logits = logits.float()
        sums[0] += F.cross_entropy(logits, labels[rows], reduction="sum")
        sums[1] += (logits.argmax(1) == labels[rows]).sum()
    loss, accuracy = (summed(sums) / len(images)).tolist()
    return {"test_loss": loss, "test_accuracy": accuracy}


def views(images):
    """Six views and their weights: the images, shifted by a pixel up and left, shifted down and right, and the mirror image of
    each."""
    bordered = F.pad(images, [1] * 4, mode="reflect")
    for weight, view in (1 / 4, images), (1 / 8, bordered[:, :, :-2, :-2]), (1 / 8, bordered[:, :, 2:, 2:]):
        yield weight, view
        yield weight, view.flip(3)


@torch.no_grad()
def share_statistics(model: nn.Module) -> None:
    """Running statistics of batch norm become their means over the processes, each of which has seen other images."""
    for buffer in model.buffers():
        if PROCESSES > 1 and buffer.is_floating_point():
            buffer.copy_(summed(buffer.clone()) / PROCESSES)
