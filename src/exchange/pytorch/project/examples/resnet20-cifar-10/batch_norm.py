"""Batch normalisation over the whole batch, even if several processes share it."""
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.nn.functional import all_reduce


def synchronised(model: nn.Module) -> nn.Module:
    """The model with batch norms over the images of all processes. PyTorch's SyncBatchNorm needs a GPU for each process."""
    if dist.get_backend() == "nccl":
        return nn.SyncBatchNorm.convert_sync_batchnorm(model)
    for module in model.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            module.forward = AllReduced(module)
    return model


class AllReduced:
    """The forward pass of a batch norm, with sums over all processes by an all_reduce that has gradients."""

    def __init__(self, norm: nn.Module):
        self.norm = norm

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        norm, x = self.norm, x.float()
        channels = (1, -1, *[1] * (x.ndim - 2))
        mean, var = norm.running_mean, norm.running_var
        if norm.training:
            axes = [axis for axis in range(x.ndim) if axis != 1]
            count = torch.tensor([x.numel() / x.shape[1]], device=x.device)
            dist.all_reduce(count)
            mean = all_reduce(x.sum(axes)) / count
            var = all_reduce((x - mean.view(channels)).pow(2).sum(axes)) / count
            with torch.no_grad():
                norm.num_batches_tracked += 1
                norm.running_mean.lerp_(mean, norm.momentum)
                norm.running_var.lerp_(var * count / (count - 1), norm.momentum)
        scale = norm.weight / torch.sqrt(var + norm.eps)
        return (x - mean.view(channels)) * scale.view(channels) + norm.bias.view(channels)
