/** The project's README.md, and what a project cannot carry over. */
import { isAugmented } from '../../../base/augmentation.ts';
import { isBatch } from '../../../data/files.ts';
import { OWN } from '../../../data/own/info.ts';
import { counted } from './python.ts';
import { isRandom, randomNeeds } from './random.ts';
import { uses, type Subject } from './subject.ts';

/** What is different in the project, one sentence each: for the README and for the person who exports. */
export function differences(subject: Subject, later: readonly number[]): string[] {
  const { settings, dataset } = subject;
  return [
    ...(uses(subject, 'dropout')
      ? ['Dropout takes PyTorch’s random numbers, so the losses of single steps differ from those in wgrad.']
      : []),
    ...(settings.precision === 'mixed'
      ? [
          'The run trained in mixed precision. Here it trains in float32, and with --amp in bfloat16, which needs no loss scale.',
        ]
      : []),
    ...(dataset
      ? []
      : ['JPEG files may be decoded with pixels that differ by a level or two; PNG files give the same.']),
    ...(later.length > 0
      ? [`Settings that were changed at step ${later.join(', ')}, after this checkpoint, are not in it.`]
      : []),
  ];
}

/** @param notes the result of `differences` @param hasData the data set's files are in the project */
export function readmeText(subject: Subject, notes: readonly string[], hasData: boolean): string {
  const { model, step, steps, dataset, settings } = subject;
  const files = [
    ['model.py', 'the network'],
    ['data.py', 'reads the images, and makes the batches'],
    ...(isRandom(randomNeeds(subject))
      ? [['random_numbers.py', 'wgrad’s random numbers, for the same order of samples']]
      : []),
    ...(uses(subject, 'batch_norm')
      ? [['batch_norm.py', 'batch normalisation where several processes share a batch']]
      : []),
    ...(settings.optimizer === 'muon' ? [['muon.py', 'the optimiser']] : []),
    ['settings.py', 'the settings of the run'],
    ['train.py', 'the training loop'],
    ['start.pt', `weights and optimiser after step ${counted(step)}`],
    ['cluster/', 'files for SkyPilot and Slurm'],
    ...(hasData ? [['data/', 'the images']] : []),
  ];
  const end =
    step >= steps
      ? `The run is complete: it has all of its ${counted(steps)} steps. \`python train.py --steps ${step + 1000}\` trains on.`
      : `It trains from step ${counted(step)} to step ${counted(steps)}.`;
  return `# ${model.title.replace(/\s+/g, ' ')}${dataset ? ` on ${dataset.title}` : ''}

A training run of wgrad as a PyTorch project. ${end}

    pip install -r requirements.txt
    python train.py --data ${hasData ? 'data' : 'DIR'}

${dataText(subject, hasData)}

On one process and in float32, the losses are those that wgrad would have computed: the order of samples${
    isAugmented(settings.augmentation) ? ' and the augmentation' : ''
  } follow
from the seed, bit for bit. Only sums are rounded differently. Written for PyTorch 1.13 and later, 2.x included.

${files.map(([name, what]) => `- \`${name}\`: ${what}`).join('\n')}

## Several GPUs, several machines

    torchrun --nproc-per-node 2 train.py --data ${hasData ? 'data' : 'DIR'}

The processes share each batch, so the losses stay the same within rounding, whatever their number. ${
    uses(subject, 'batch_norm')
      ? 'Batch normalisation sees\nthe whole batch: SyncBatchNorm on GPUs, and sums by all_reduce where there are none. '
      : ''
  }Evaluation is shared, too. The first
process saves \`checkpoint.pt\` at the end of every epoch and every 500 steps (\`--save-every\`), beside the old one, which it
then replaces. After a kill, the same command resumes there; on several machines, the folder must be one that all of them
see. \`--amp\` computes in bfloat16 where that is accurate enough.

    sky launch cluster/skypilot.yaml
    sbatch cluster/slurm.sh
${notes.length > 0 ? `\n## What is different\n\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}`;
}

function dataText({ dataset }: Subject, hasData: boolean): string {
  if (!dataset)
    return '`DIR` has a folder of PNG or JPEG images for each class, the same images as in wgrad.';
  const names = dataset.files.map(({ name }) => `\`${name}\``);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  if (hasData && dataset.name === OWN) {
    const classes = dataset.classes.map((name, i) => `${i} is ${name.replace(/\s+/g, ' ')}`).join(', ');
    return `The images are in \`data\`: ${list}. For each image they have a byte for the class, then ${dataset.shape.join(' × ')}
bytes of pixels: ${classes}.`;
  }
  if (hasData) return `The images are in \`data\`: ${list}.`;
  const { archive, source, mirrors, shipped } = dataset;
  const from = shipped
    ? ` wgrad has them in \`public/datasets/${dataset.name}\`.`
    : archive
      ? ` They are in \`${archive.name}\`${source === undefined ? '' : ` at ${source}`}, in its folder \`${archive.folder}\`.`
      : mirrors.length > 0
        ? ` They are at ${mirrors[0]}.`
        : '';
  const unpacked = dataset.files.some(({ role }) => !isBatch(role)) ? ' They may be unpacked.' : '';
  return `\`DIR\` has the files of ${dataset.title} as published: ${list}.${from}${unpacked}`;
}
