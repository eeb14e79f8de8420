/** The PyTorch project as one Jupyter notebook, for Colab, Kaggle and the like. */
import { weightsMetadata, type Trained } from '../../models/file/weights.ts';
import { base64 } from '../../base/base64.ts';
import { inMarkdown } from '../../base/markdown.ts';
import type { ExportContext, Files } from '../exporters.ts';
import { pytorchProject } from './project/index.ts';
import { subjectOf } from './project/subject.ts';

/** torchvision's classes, by our names of the data sets. */
const TORCHVISION = new Map([
  ['mnist', 'MNIST'],
  ['fashion-mnist', 'FashionMNIST'],
  ['cifar-10', 'CIFAR10'],
]);

/** Larger files lie beside the notebook: Colab opens notebooks of up to 20 MB, and base64 makes files a third longer. */
const MOST_BYTES = 12e6;

interface Cell {
  cell_type: 'markdown' | 'code';
  source: string;
}
const text = (source: string): Cell => ({ cell_type: 'markdown', source });
const code = (source: string): Cell => ({ cell_type: 'code', source });

/**
 * The notebook, and the files beside it that are too large for it.
 * @param name of the notebook's file, without an extension
 * @throws Failure as `pytorchProject`
 */
export async function toNotebook(trained: Trained, name: string, context: ExportContext): Promise<Files> {
  const { step, steps, dataset } = subjectOf(trained, context.run, context.own);
  const project = [...(await pytorchProject(trained, context))];
  const scripts = project.filter(([path]) => path.endsWith('.py'));
  const isData = ([path]: (typeof project)[number]) => path.startsWith('data/');
  // The config first, so that it is inside.
  const binary = [
    ...['config.json', 'start.pt'].flatMap((file) => project.filter(([path]) => path === file)),
    ...project.filter(isData),
  ];
  const inside: typeof binary = [];
  const beside: typeof binary = [];
  let left = MOST_BYTES;
  for (const file of binary) {
    const fits = file[1].length <= left;
    (fits ? inside : beside).push(file);
    if (fits) left -= file[1].length;
  }
  const hasData = project.some(isData);
  const data = hasData ? 'data' : dataset ? `downloads/${TORCHVISION.get(dataset.name)}/raw` : 'data';
  const folder = dataset?.name === 'cifar-10' && !hasData ? 'data' : data;
  const more = step >= steps ? ` --steps ${step + 1000}` : '';
  const { title } = trained.model;
  const cells = [
    text(
      `# ${inMarkdown(title)}${dataset ? ` on ${dataset.title}` : ''}\n\nA wgrad training run as a PyTorch project. Run all cells from top to bottom: the last one saves weights that wgrad opens. A GPU makes it faster; in Colab: Runtime, Change runtime type.`,
    ),
    text('## The project\n\nEach cell writes one file. Change what you like and run the cell again.'),
    ...scripts.map(([path, bytes]) => code(`%%writefile ${path}\n${new TextDecoder().decode(bytes)}`)),
    text('## The state of the run'),
    code(`import base64
from pathlib import Path

FILES = {
${inside.map(([path, bytes]) => `    ${JSON.stringify(path)}: "${base64(bytes)}",\n`).join('')}}
for path, content in FILES.items():
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_bytes(base64.b64decode(content))
for path in ${JSON.stringify(beside.map(([path]) => path))}:
    assert Path(path).exists(), f"upload {path}, which was exported with this notebook"`),
    ...(hasData ? [] : [text('## The images'), code(imagesText(dataset?.name))]),
    text(
      '## Training\n\nIf it is interrupted, run this cell again: it resumes from the latest checkpoint. Without a GPU it computes the same losses as wgrad.',
    ),
    code(`import sys

!{sys.executable} -u train.py --data ${folder}${more} | tee -a log.jsonl`),
    text('## What happened'),
    code(PLOT),
    text('## Weights\n\n`weights.safetensors` can be opened in wgrad.'),
    code(weightsText(trained)),
  ];
  const notebook = {
    nbformat: 4,
    nbformat_minor: 4,
    metadata: {
      accelerator: 'GPU',
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python' },
    },
    cells: cells.map(({ cell_type, source }) => ({
      cell_type,
      metadata: {},
      ...(cell_type === 'code' ? { execution_count: null, outputs: [] } : {}),
      source: source.trimEnd().split(/(?<=\n)/),
    })),
  };
  const bytes = new TextEncoder().encode(`${JSON.stringify(notebook, undefined, 1)}\n`);
  return new Map([[`${name}.ipynb`, bytes], ...beside]);
}

function imagesText(dataset: string | undefined): string {
  const name = TORCHVISION.get(dataset ?? '');
  if (name === undefined)
    return `assert Path("data").is_dir(), "upload the images to a folder data, with a folder for each class"`;
  if (name !== 'CIFAR10')
    return `from torchvision.datasets import ${name}

${name}("downloads", download=True)`;
  return `import numpy as np
from torchvision.datasets import CIFAR10

import data

Path("data").mkdir(exist_ok=True)
for split, names in data.FILES.items():
    images = CIFAR10("downloads", train=split == "train", download=True)
    pixels = images.data.transpose(0, 3, 1, 2).reshape(len(images), -1)
    records = np.concatenate([np.array(images.targets, np.uint8)[:, None], pixels], 1)
    for name, part in zip(names, np.array_split(records, len(names))):
        part.tofile(f"data/{name}")`;
}

const PLOT = `import json

import matplotlib.pyplot as plt

lines = [json.loads(line) for line in open("log.jsonl") if line.startswith("{")]
steps = {line["step"]: line["loss"] for line in lines if "step" in line}
epochs = {line["epoch"]: line["test_accuracy"] for line in lines if "epoch" in line}
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.5))
left.plot(steps.keys(), steps.values())
left.set(xlabel="step", ylabel="training loss")
right.plot(epochs.keys(), epochs.values(), marker="o")
right.set(xlabel="epoch", ylabel="test accuracy")
plt.show()`;

/** Writes safetensors by hand: not every machine has the library, and the file is simple. */
function weightsText({ model, info }: Trained): string {
  const metadata = Object.fromEntries(weightsMetadata({ ...info, testAccuracy: undefined, model }));
  return `import struct

import torch

METADATA = {
${Object.entries(metadata)
  .map(([key, value]) => `    "${key}": ${JSON.stringify(value)},\n`)
  .join('')}}
saved = torch.load("checkpoint.pt", map_location="cpu", weights_only=True)
weights = saved.get("average", saved["model"])
accuracy = [line["test_accuracy"] for line in lines if "epoch" in line][-1]
header, parts, end = {"__metadata__": {**METADATA, "test_accuracy": str(accuracy)}}, [], 0
for name, value in weights.items():
    parts.append(value.contiguous().numpy().tobytes())
    kind = "I64" if value.dtype == torch.int64 else "F32"
    header[name] = {"dtype": kind, "shape": list(value.shape), "data_offsets": [end, end + len(parts[-1])]}
    end += len(parts[-1])
text = json.dumps(header).encode()
Path("weights.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))
print(f"step {saved['step']}, test accuracy {accuracy:.2%}: weights.safetensors")`;
}
