/** The project's processes.py: the processes that torchrun starts. */
export const PROCESSES_TEXT = `"""The processes that share the training: torchrun starts them, on one machine or several."""
import contextlib
import os
import sys
import traceback
from collections.abc import Iterator
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import Tensor, nn

RANK = int(os.environ.get("RANK", 0))  # torchrun sets these
PROCESSES = int(os.environ.get("WORLD_SIZE", 1))
LOCAL_RANK = int(os.environ.get("LOCAL_RANK", 0))  # on this machine
LOCAL_PROCESSES = int(os.environ.get("LOCAL_WORLD_SIZE", 1))

WAIT = timedelta(minutes=10)  # how long a process waits for another before it ends with an error


def place() -> tuple[torch.device, str]:
    """The device of this process, and the backend that joins the processes: NCCL needs a GPU for each, gloo does not."""
    if not torch.cuda.is_available():
        return torch.device("cpu"), "gloo"
    gpus = torch.cuda.device_count()
    device = torch.device("cuda", LOCAL_RANK % gpus)
    if LOCAL_PROCESSES <= gpus:
        return device, "nccl"
    if LOCAL_RANK == 0:
        print(f"{LOCAL_PROCESSES} processes share {gpus} GPU(s), which is slow", file=sys.stderr)
    return device, "gloo"


@contextlib.contextmanager
def joined() -> Iterator[torch.device]:
    """Joins the processes while the block runs. Gives the device of this one."""
    device, backend = place()
    if device.type == "cuda":
        torch.cuda.set_device(device)
        torch.cuda.set_stream(torch.cuda.Stream(device))  # the default stream cannot be captured as a CUDA graph
    if PROCESSES == 1:
        yield device
        return
    try:
        dist.init_process_group(backend, timeout=WAIT)
        yield device
        dist.barrier()  # with gloo, a process that leaves early can leave the others waiting forever
        if backend == "gloo":  # NCCL would wait for CUDA graphs
            dist.destroy_process_group()
    except RuntimeError:
        traceback.print_exc()
        why = "If it waited for another one or lost its connection, what that one says is the cause."
        advice = "The same command resumes from the latest checkpoint."
        print(f"process {RANK} of {PROCESSES} has ended.", why, advice, file=sys.stderr, flush=True)
        os._exit(1)
    # Not by a return: it would wait, with Python's lock, for threads of gloo that may need the lock to free a tensor.
    sys.stdout.flush()
    os._exit(0)


def share(count: int) -> range:
    """The rows, out of \`count\`, that this process computes."""
    return range(RANK * count // PROCESSES, (RANK + 1) * count // PROCESSES)


def summed(values: Tensor) -> Tensor:
    """The values, summed over all processes, in place."""
    if PROCESSES > 1:
        dist.all_reduce(values)
    return values


def sum_gradients(parameters: list[nn.Parameter]) -> None:
    """Sums the gradients over all processes. They travel as one tensor: one all_reduce is faster than many."""
    if PROCESSES == 1:
        return
    trained = [p for p in parameters if p.grad is not None]
    # Views of the memory as it lies: no copy is made where it is channels_last.
    flat = torch.cat([p.grad.as_strided([p.numel()], [1]) for p in trained])
    dist.all_reduce(flat)
    for p, values in zip(trained, flat.split([p.numel() for p in trained])):
        p.grad = values.as_strided(p.size(), p.stride())
`;
