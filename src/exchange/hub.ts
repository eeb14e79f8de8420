/** A trained network as a folder for the Hugging Face Hub. */
import { accuracy as accuracyText } from '../base/accuracy.ts';
import { inMarkdown } from '../base/markdown.ts';
import { writeSafetensors } from '../data/formats/safetensors.ts';
import { datasets } from '../data/catalogue.ts';
import { pytorchCode, pytorchModule } from '../models/code/pytorch.ts';
import { configText } from '../models/file/config.ts';
import { weightsMetadata, type Trained } from '../models/file/weights.ts';
import { actedOn, changesInWords, changesOf, changeText } from '../run/settings/adjustments.ts';
import type { Checkpoint } from '../train/checkpoint.ts';
import type { ExportContext, Files } from './exporters.ts';

/** The Hub's names of data sets, by ours. */
const HUB_DATASETS = new Map([
  ['mnist', 'ylecun/mnist'],
  ['fashion-mnist', 'zalando-datasets/fashion_mnist'],
  ['cifar-10', 'uoft-cs/cifar10'],
]);

/** @throws Failure `unsupported` if PyTorch cannot have the layers' names */
export async function toHub(trained: Trained, { run }: ExportContext): Promise<Files> {
  const { model, parameters, info } = trained;
  const measured = info.testAccuracy ?? run?.history.evaluations.at(-1)?.testAccuracy;
  const known = { ...info, ...(measured === undefined ? {} : { testAccuracy: measured }) };
  const curve = run && curveText(run);
  const bytes = (words: string) => new TextEncoder().encode(words);
  return new Map([
    ['README.md', bytes(cardText({ ...trained, info: known }, run, curve !== undefined))],
    ['config.json', bytes(configText(trained))],
    ['model.safetensors', writeSafetensors(parameters, weightsMetadata({ ...known, model }))],
    ['model.py', bytes(pytorchCode(model))],
    ...(curve === undefined ? [] : [['curve.svg', bytes(curve)] as const]),
  ]);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The model card: what the Hub reads is between the lines of dashes, as YAML, of which JSON is a part. */
function cardText({ model, info }: Trained, run: Checkpoint | undefined, hasCurve: boolean): string {
  const { dataset: name, testAccuracy, classes, normalisation } = info;
  const title = oneLine(model.title);
  const known = name !== undefined && datasets.has(name) ? datasets.get(name) : undefined;
  const images = known?.title ?? 'the author’s own images';
  const onHub = HUB_DATASETS.get(name ?? '');
  const result = {
    task: { type: 'image-classification' },
    dataset: { name: images, type: onHub ?? name ?? 'own' },
    metrics: [{ type: 'accuracy', value: testAccuracy }],
  };
  const front = [
    'library_name: pytorch',
    'pipeline_tag: image-classification',
    'tags: ["image-classification", "wgrad"]',
    ...(onHub === undefined ? [] : [`datasets: ["${onHub}"]`]),
    'metrics: ["accuracy"]',
    ...(testAccuracy === undefined
      ? []
      : [`model-index: ${JSON.stringify([{ name: title, results: [result] }])}`]),
  ];
  const [channels, height, width] = model.input;
  const { name: className } = pytorchModule(model);
  const pixels = normalisation
    ? `mean, std = (torch.tensor(config[key]).view(-1, 1, 1) for key in ("mean", "std"))
logits = model((images - mean) / std)  # images: [N, ${channels}, ${height}, ${width}], pixels in [0, 1]`
    : `logits = model(images)  # [N, ${channels}, ${height}, ${width}]`;
  return `---
${front.join('\n')}
---

# ${inMarkdown(title)}

${inMarkdown(model.description)}

Trained on ${images} with wgrad${run ? `, ${run.step.toLocaleString('en')} steps` : ''}.${
    testAccuracy === undefined ? '' : ` Test accuracy: **${accuracyText(testAccuracy)}**.`
  }
${hasCurve ? '\n![Test accuracy by epoch](curve.svg)\n' : ''}${
    classes ? `\nClasses, in the order of the logits: ${classes.map(inMarkdown).join(', ')}.\n` : ''
  }${run ? `\n## Settings\n\n${settingsTable(run)}\n` : ''}
## Use

    pip install torch safetensors

\`\`\`python
import json
import torch
from safetensors.torch import load_file
from model import ${className}

config = json.load(open("config.json"))
model = ${className}()
model.load_state_dict(load_file("model.safetensors"))
model.eval()
${pixels}
\`\`\`

wgrad opens this folder too, also zipped, or its \`config.json\` and \`model.safetensors\`. To publish it: \`hf upload NAME .\`; choose a license in the first lines of this file.
`;
}

function settingsTable({ config, step }: Checkpoint): string {
  const { optimizer, lr, momentum, weightDecay, batchSize, schedule, labelSmoothing, seed, precision } =
    config;
  const { validation, trainImages, wrongLabels, classWeights } = config;
  const augmentation = Object.entries(config.augmentation)
    .filter(([, value]) => value > 0)
    .map(([kind, value]) => `${kind}=${value}`)
    .join(', ');
  const rows = {
    optimizer,
    lr,
    momentum,
    weightDecay,
    batchSize,
    schedule,
    labelSmoothing,
    augmentation,
    precision,
    seed,
    ...(validation > 0 ? { validation } : {}),
    ...(trainImages === undefined ? {} : { trainImages }),
    ...(wrongLabels > 0 ? { wrongLabels } : {}),
    ...(classWeights === undefined ? {} : { classWeights }),
  };
  const lines = Object.entries(rows).map(([key, value]) => `| ${key} | ${value || 'none'} |`);
  const made = changesOf(config, actedOn(config.adjustments ?? [], step));
  const changes = changesInWords(made).map(changeText);
  return [
    '| setting | value |',
    '| --- | --- |',
    ...lines,
    ...(changes.length > 0 ? ['', `Changed during the run: ${changes.join('; ')}.`] : []),
  ].join('\n');
}

/** The test accuracy by epoch, as a picture; undefined before the second evaluation. */
function curveText({ history: { evaluations } }: Checkpoint): string | undefined {
  if (evaluations.length < 2) return undefined;
  const [width, height, border] = [640, 240, 40];
  const last = evaluations[evaluations.length - 1].epoch;
  const first = evaluations[0].epoch;
  const x = (epoch: number) => border + ((width - 2 * border) * (epoch - first)) / Math.max(last - first, 1);
  const y = (accuracy: number) => height - border - (height - 2 * border) * accuracy;
  const points = evaluations.map(
    ({ epoch, testAccuracy }) => `${x(epoch).toFixed(1)},${y(testAccuracy).toFixed(1)}`,
  );
  const grid = [0, 0.5, 1].map(
    (value) => `<path d="M${border} ${y(value)}H${width - border}" stroke="#bbb"/>
<text x="${border - 6}" y="${y(value) + 4}" text-anchor="end">${100 * value} %</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${grid.join('\n')}
<polyline points="${points.join(' ')}" fill="none" stroke="#1769aa" stroke-width="2"/>
<text x="${border}" y="${height - 12}">epoch ${first}</text>
<text x="${width - border}" y="${height - 12}" text-anchor="end">epoch ${last}</text>
</svg>
`;
}
