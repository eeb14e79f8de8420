/** The project's README.md, and what a project cannot carry over. */
import { isAugmented } from '../../../base/augmentation.ts';
import { isBatch } from '../../../data/files.ts';
import { OWN } from '../../../data/own/info.ts';
import { counted } from './python.ts';
import { isRandom, randomNeeds } from './random.ts';
import { uses, type ProjectSubject } from './subject.ts';

/** What is different in the project, one sentence each: for the README and for the person who exports. */
export function differences(subject: ProjectSubject, later: readonly number[]): string[] {
  const { settings, dataset } = subject;
  return [
    ...(uses(subject, 'dropout')
      ? ['Dropout uses PyTorch’s random numbers, so single losses differ from those in wgrad.']
      : []),
    ...(settings.precision === 'mixed'
      ? [
          'The run trained in mixed precision. The project trains in float32, or with --amp in bfloat16, which needs no loss scale.',
        ]
      : []),
    ...(dataset
      ? []
      : [
          'JPEG files may decode to pixel values that differ by one or two; PNG files decode to the same pixels.',
        ]),
    ...(later.length > 0
      ? [`Settings that changed after this checkpoint, at step ${later.join(', ')}, keep their old values.`]
      : []),
  ];
}

/** @param notes the result of `differences` @param hasData the data set's files are in the project */
export function readmeText(subject: ProjectSubject, notes: readonly string[], hasData: boolean): string {
  const { model, step, steps, dataset, settings } = subject;
  const files = [
    ['model.py', 'the network'],
    ['data.py', 'loads the images and makes the batches'],
    ...(isRandom(randomNeeds(subject)) ? [['random_numbers.py', 'wgrad’s random numbers']] : []),
    ...(uses(subject, 'batch_norm') ? [['batch_norm.py', 'batch normalisation over several processes']] : []),
    ...(settings.optimizer === 'muon' ? [['muon.py', 'the optimiser']] : []),
    ['settings.py', 'the settings of the run'],
    ['train.py', 'the training loop'],
    ['start.pt', `weights and optimiser state after step ${counted(step)}`],
    ['cluster/', 'files for SkyPilot and Slurm'],
    ...(hasData ? [['data/', 'the images']] : []),
  ];
  const end =
    step >= steps
      ? `The run has finished all of its ${counted(steps)} steps. To continue it: \`python train.py --data ${hasData ? 'data' : 'DIR'} --steps ${step + 1000}\`.`
      : `It trains from step ${counted(step)} to step ${counted(steps)}.`;
  return `# ${model.title.replace(/\s+/g, ' ')}${dataset ? ` on ${dataset.title}` : ''}

A wgrad training run as a PyTorch project. ${end}

    pip install -r requirements.txt
    python train.py --data ${hasData ? 'data' : 'DIR'}

${dataText(subject, hasData)}

In one process and in float32, the losses are those that wgrad would have computed, up to rounding:
${
  isAugmented(settings.augmentation)
    ? 'the order of the samples and their augmentation follow'
    : 'the order of the samples follows'
} from the same seed. Requires PyTorch 1.13 or later.

${files.map(([name, what]) => `- \`${name}\`: ${what}`).join('\n')}

## Several GPUs or machines

    torchrun --nproc_per_node 2 train.py --data ${hasData ? 'data' : 'DIR'}

The processes share each batch, so the losses stay the same up to rounding, however many there are. ${
    uses(subject, 'batch_norm')
      ? 'Batch normalisation uses\nthe statistics of the whole batch: SyncBatchNorm with a GPU for each process, else all_reduce. '
      : ''
  }They also share the
evaluation. The first process saves \`checkpoint.pt\` after every epoch and every 500 steps (\`--save-every\`), atomically;
the same command resumes from it. A run whose processes wait ten minutes for one another ends with an error. Several machines
need a shared folder. \`--amp\` computes in bfloat16 where that is accurate enough.

    sky launch cluster/skypilot.yaml
    sbatch cluster/slurm.sh
${notes.length > 0 ? `\n## Differences from wgrad\n\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}`;
}

function dataText({ dataset }: ProjectSubject, hasData: boolean): string {
  if (!dataset)
    return '`DIR` contains one folder of PNG or JPEG images per class, the same images as in wgrad.';
  const names = dataset.files.map(({ name }) => `\`${name}\``);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  if (hasData && dataset.name === OWN) {
    const classes = dataset.classes.map((name, i) => `${i} is ${name.replace(/\s+/g, ' ')}`).join(', ');
    return `The images are in \`data\`: ${list}. Each image is one byte with its class, then ${dataset.shape.join(' × ')}
bytes of pixels: ${classes}.`;
  }
  if (hasData) return `The images are in \`data\`: ${list}.`;
  const { archive, source, mirrors, shipped } = dataset;
  const from = shipped
    ? ` wgrad has them in \`public/datasets/${dataset.name}\`.`
    : archive
      ? ` They are in \`${archive.name}\`${source === undefined ? '' : ` at ${source}`}, in the folder \`${archive.folder}\`.`
      : mirrors.length > 0
        ? ` They are at ${mirrors[0]}.`
        : '';
  const unpacked = dataset.files.some(({ role }) => !isBatch(role)) ? ' Unpacked files work too.' : '';
  return `\`DIR\` contains the files of ${dataset.title} as published: ${list}.${from}${unpacked}`;
}
