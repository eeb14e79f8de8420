#!/usr/bin/env python3
"""Evaluates weights that wgrad saved with PyTorch, and prints count, accuracy and loss as a line of JSON.

    npm run -s wgrad -- train --preset lenet5-mnist --save w.safetensors
    python3 pytorch_predict.py w.safetensors --dataset mnist --data-dir DIR

The file's metadata holds the network and the normalisation; DIR has the files of MNIST, Fashion-MNIST or the digits, gzipped
or not, or of CIFAR-10's binary version, directly or in a folder of the set's name. `wgrad predict` prints the same accuracy.
"""
import argparse
import gzip
import json
import pathlib
import struct

import torch
import torch.nn.functional as F

from pytorch_models import Network


def read_safetensors(path):
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = torch.frombuffer(bytearray(raw[8 + length + begin : 8 + length + end]), dtype=torch.float32)
        tensors[name] = values.reshape(entry["shape"])
    return tensors, metadata


def find(folders, names):
    for folder in folders:
        for name in names:
            for path in (folder / name, folder / f"{name}.gz"):
                if path.exists():
                    raw = path.read_bytes()
                    return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    raise SystemExit(f"none of {', '.join(names)} in {', '.join(map(str, folders))}")


def test_set(dataset, folder):
    """Images as bytes [N, C, H, W], and their labels."""
    folders = [folder / dataset, folder, folder / dataset / "cifar-10-batches-bin", folder / "cifar-10-batches-bin"]
    if dataset == "cifar-10":
        records = torch.frombuffer(bytearray(find(folders, ["test_batch.bin"])), dtype=torch.uint8).view(-1, 3073)
        return records[:, 1:].reshape(-1, 3, 32, 32), records[:, 0].long()
    images, labels = (find(folders, [f"t10k-{what}", f"t10k-{what.replace('-idx', '.idx')}"]) for what in ("images-idx3-ubyte", "labels-idx1-ubyte"))
    _, count, rows, columns = struct.unpack(">4I", images[:16])
    pixels = torch.frombuffer(bytearray(images[16:]), dtype=torch.uint8)
    return pixels.view(count, 1, rows, columns), torch.frombuffer(bytearray(labels[8:]), dtype=torch.uint8).long()


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("weights", type=pathlib.Path)
    parse.add_argument("--dataset", required=True, choices=["mnist", "fashion-mnist", "digits", "cifar-10"])
    parse.add_argument("--data-dir", required=True, type=pathlib.Path)
    parse.add_argument("--batch-size", type=int, default=250)
    parse.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parse.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    tensors, metadata = read_safetensors(options.weights)
    model = json.loads(metadata["model"])
    place = lambda value: value.to(options.device)
    mean, std = (place(torch.tensor([float(v) for v in metadata[key].split(",")])).view(1, -1, 1, 1) for key in ("mean", "std"))
    net = Network(model["layers"])
    net.parameters = {name: place(value) for name, value in tensors.items()}
    for name in {name.rsplit(".", 1)[0] for name in tensors if name.endswith(".running_mean")}:
        net.running[name] = tuple(net.parameters.pop(f"{name}.{part}") for part in ("running_mean", "running_var"))
    images, labels = test_set(options.dataset, options.data_dir)
    correct, loss = 0, 0.0
    with torch.no_grad():
        for x, y in zip(images.split(options.batch_size), labels.split(options.batch_size)):
            logits = net.forward((place(x).float() / 255 - mean) / std, training=False)
            correct += (logits.argmax(1) == place(y)).sum().item()
            loss += F.cross_entropy(logits, place(y), reduction="sum").item()
    missing = sorted(net.parameters.keys() - tensors.keys())
    if missing:
        raise SystemExit(f"{options.weights} has no {', '.join(missing)}")
    count = len(labels)
    print(json.dumps({"model": model["name"], "count": count, "accuracy": correct / count, "loss": loss / count, "torch": torch.__version__}))


if __name__ == "__main__":
    main()
