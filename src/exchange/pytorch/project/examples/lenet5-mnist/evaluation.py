"""Loss and accuracy over the test images."""
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from data import Batches
from processes import share, summed


@torch.no_grad()
def evaluate(model: nn.Module, batches: Batches, images: Tensor, labels: Tensor, mixed: bool) -> dict[str, float]:
    """Loss and accuracy over the test images. Each process computes its share."""
    model.eval()
    sums = torch.zeros(2, dtype=torch.float64, device=images.device)
    for rows in torch.tensor(share(len(images)), device=images.device).split(1000):
        x = batches.normalised(images[rows])
        with torch.autocast(x.device.type, torch.bfloat16, enabled=mixed):
            logits = model(x)
        logits = logits.float()
        sums[0] += F.cross_entropy(logits, labels[rows], reduction="sum")
        sums[1] += (logits.argmax(1) == labels[rows]).sum()
    loss, accuracy = (summed(sums) / len(images)).tolist()
    return {"test_loss": loss, "test_accuracy": accuracy}
