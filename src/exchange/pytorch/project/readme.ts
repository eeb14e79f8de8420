/** The project's README.md, and what a project cannot carry over. */
import { changeText } from '../../../run/settings/adjustments.ts';
import { isAugmented } from '../../../base/augmentation.ts';
import { inMarkdown } from '../../../base/markdown.ts';
import { isBatch } from '../../../data/files.ts';
import { OWN } from '../../../data/own/info.ts';
import { torchOptimizers } from './optimizers.ts';
import { counted } from './python.ts';
import { isRandom, randomNeeds } from './random.ts';
import { selects } from './selection.ts';
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
          'The run trained in mixed precision with float16. The project trains in bfloat16, which needs no loss scale, or with --exact in float32.',
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
  const { model, step, steps, dataset, settings, changes } = subject;
  const { module } = torchOptimizers.get(settings.optimizer);
  const files = [
    ['model.py', 'the network'],
    ['train.py', 'the options and the training loop'],
    ['step.py', 'what a step computes, on a GPU as one CUDA graph'],
    ['data.py', 'loads the images and makes the batches, on the device'],
    ['optimization.py', 'the optimiser and the learning rate'],
    ...(selects(subject)
      ? [['selection.py', 'which of the training images are used, and their labels']]
      : []),
    [
      'evaluation.py',
      `loss and accuracy over the test${settings.validation > 0 ? ' and validation' : ''} images`,
    ],
    ['processes.py', 'the processes that share the training'],
    ...(isRandom(randomNeeds(subject)) ? [['random_numbers.py', 'wgrad’s random numbers']] : []),
    ...(uses(subject, 'batch_norm') ? [['batch_norm.py', 'batch normalisation over several processes']] : []),
    ...(module ? [[module.file, 'the optimiser']] : []),
    ['settings.py', 'the settings of the run'],
    ['start.pt', `weights and optimiser state after step ${counted(step)}`],
    ['config.json', 'the network and its classes, for wgrad'],
    ['slurm.sh', 'starts the training on a cluster with Slurm'],
    ...(hasData ? [['data/', 'the images']] : []),
  ];
  const end =
    step >= steps
      ? `The run has finished all of its ${counted(steps)} steps. To continue it: \`python train.py --data ${hasData ? 'data' : 'DIR'} --steps ${step + 1000}\`.`
      : `It trains from step ${counted(step)} to step ${counted(steps)}.`;
  return `# ${inMarkdown(model.title)}${dataset ? ` on ${dataset.title}` : ''}

A wgrad training run as a PyTorch project. ${end}${
    changes.length > 0 ? ` Its settings changed on the way: ${changes.map(changeText).join('; ')}.` : ''
  }

    pip install -r requirements.txt
    python train.py --data ${hasData ? 'data' : 'DIR'}

${dataText(subject, hasData)}

It prints one JSON line per step and one per epoch, and saves \`checkpoint.pt\` every 500 steps (\`--save-every\`), at the end and when
it is asked to end by SIGTERM. The same command resumes from it. wgrad opens this folder, also zipped, on its page under Runs and with
\`import\`: the weights of \`checkpoint.pt\`, or of \`start.pt\` before there is one, with the curve of what was printed
(\`| tee log.jsonl\`). Requires PyTorch 2.4 or later.

${files.map(([name, what]) => `- \`${name}\`: ${what}`).join('\n')}

## Exact or fast

| | \`--exact\`, the default without a GPU | the default on a GPU |
| --- | --- | --- |
| losses | those that wgrad would have computed, up to rounding | of the same kind, but other numbers |
| arithmetic | float32 | bfloat16 where it is accurate enough, else TF32 |
${
  uses(subject, 'batch_norm')
    ? '| batch normalisation over | the whole batch | the part of each GPU, as usual in PyTorch |\n'
    : ''
}| speed | that of plain PyTorch | compiled (\`--no-compile\`), a step is one CUDA graph (\`--no-graph\`) |

Both take the same samples in the same order${
    isAugmented(settings.augmentation) ? ', augmented in the same way' : ''
  }: they follow from the same seed. \`--deterministic\` gives the same bits in every run.

## Several GPUs or machines

    torchrun --standalone --nproc_per_node 2 train.py --data ${hasData ? 'data' : 'DIR'}

The processes share each batch${
    uses(subject, 'batch_norm') ? ', and with `--exact` also the statistics of batch normalisation' : ''
  }, so with \`--exact\` the losses stay the same up to
rounding, however many there are. More GPUs gain most with a larger batch: \`--global-batch 4096 --scale-lr\` trains with
proportionally fewer and larger steps. On several machines, start on each:

    torchrun --nnodes 2 --nproc_per_node 4 --rdzv_backend c10d --rdzv_endpoint HOST:29500 train.py --data ${hasData ? 'data' : 'DIR'}

They need a folder in common for the checkpoint. If a process dies, all end, those that wait for it after ten minutes at most; the same
command resumes from the latest checkpoint. On a cluster with Slurm: \`sbatch slurm.sh\`.
${notes.length > 0 ? `\n## Differences from wgrad\n\n${notes.map((note) => `- ${note}`).join('\n')}\n` : ''}`;
}

function dataText({ dataset }: ProjectSubject, hasData: boolean): string {
  if (!dataset)
    return '`DIR` contains one folder of PNG or JPEG images per class, the same images as in wgrad.';
  const names = dataset.files.map(({ name }) => `\`${name}\``);
  const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  if (hasData && dataset.name === OWN) {
    const classes = dataset.classes.map((name, i) => `${i} is ${inMarkdown(name)}`).join(', ');
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
