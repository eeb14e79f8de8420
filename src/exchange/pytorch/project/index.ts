/**
 * A training run as a PyTorch project: scripts that say what the run does and nothing else, and the state at which it
 * stands. Its next losses are those that wgrad would compute, within rounding.
 */
import { heading } from '../../../models/code/source.ts';
import { configText } from '../../../models/file/config.ts';
import type { Trained } from '../../../models/file/weights.ts';
import type { ExportContext, Files } from '../../exporters.ts';
import { writePt } from '../write.ts';
import { BATCH_NORM_TEXT } from './batch-norm.ts';
import { dataText } from './data.ts';
import { torchOptimizers } from './optimizers.ts';
import { evaluationText } from './evaluation.ts';
import { optimizationText } from './optimization.ts';
import { PROCESSES_TEXT } from './processes.ts';
import { isRandom, randomNeeds, randomText } from './random.ts';
import { differences, readmeText } from './readme.ts';
import { selectionText, selects } from './selection.ts';
import { settingsText } from './settings.ts';
import { slurmText } from './slurm.ts';
import { startingState } from './state.ts';
import { stepText } from './step.ts';
import { subjectOf, uses, type ProjectSubject } from './subject.ts';
import { trainText } from './train.ts';

/**
 * The project's files by their paths.
 * @param context the run, without which the settings are the default ones and the network trains from step 0; files of its
 *   data set become part of the project
 * @throws Failure `unsupported` if PyTorch cannot have the layers' names
 */
export async function pytorchProject(
  trained: Trained,
  { run, data = new Map(), own, note }: ExportContext,
): Promise<Files> {
  const subject = subjectOf(trained, run, own);
  const later = (run?.config.adjustments ?? []).map(({ step }) => step).filter((step) => step > subject.step);
  const notes = differences(subject, later);
  for (const difference of notes) note?.(difference);
  const random = randomNeeds(subject);
  const { module: optimizer } = torchOptimizers.get(subject.settings.optimizer);
  const texts: Record<string, string | undefined> = {
    'README.md': readmeText(subject, notes, data.size > 0),
    'model.py': modelText(subject),
    'data.py': dataText(subject),
    'selection.py': selects(subject) ? selectionText(subject) : undefined,
    'random_numbers.py': isRandom(random) ? randomText(random) : undefined,
    'batch_norm.py': uses(subject, 'batch_norm') ? BATCH_NORM_TEXT : undefined,
    ...(optimizer && { [optimizer.file]: optimizer.text(subject) }),
    'settings.py': settingsText(subject),
    'optimization.py': optimizationText(subject),
    'step.py': stepText(subject),
    'evaluation.py': evaluationText(subject),
    'processes.py': PROCESSES_TEXT,
    'train.py': trainText(subject),
    'config.json': configText({
      ...trained,
      info: { ...trained.info, normalisation: subject.normalisation },
    }),
    'requirements.txt': `torch>=2.4\nnumpy\n${subject.dataset ? '' : 'pillow\n'}`,
    'slurm.sh': slurmText(subject),
  };
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [path, text] of Object.entries(texts))
    if (text !== undefined) files.set(path, new TextEncoder().encode(text));
  files.set('start.pt', await writePt(startingState(subject), 'start'));
  for (const [name, bytes] of data) files.set(`data/${name}`, bytes);
  return files;
}

const modelText = ({ model, module: { imports, classes } }: ProjectSubject): string =>
  `${heading(model)}\n${imports}\n\n${classes}\n`;
