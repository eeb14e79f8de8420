/** The project's settings.py. */
import { counted, lines, list, whole } from './python.ts';
import { MOST_EPOCH } from '../../../engine/step.ts';
import { differing, groupsOf, trainedInSome, type ProjectSubject } from './subject.ts';

export function settingsText(subject: ProjectSubject): string {
  const { model, settings, steps, step, learningRate, normalisation } = subject;
  const { mean, std } = normalisation;
  const { warmupSteps = 0 } = learningRate ?? {};
  const endless = trainedInSome(subject).some(({ epochs }) => epochs.last === MOST_EPOCH);
  return lines(
    `"""The settings of the run, as of step ${counted(step)}."""`,
    endless && 'import sys',
    '',
    `SEED = ${settings.seed}`,
    `BATCH_SIZE = ${settings.batchSize}  # images per step, over all processes`,
    `STEPS = ${whole(steps)}  # of the whole run`,
    `LEARNING_RATE = ${settings.lr}${learningRate ? '  # see learning_rate() in optimization.py' : ''}`,
    learningRate &&
      learningRate.steps !== steps &&
      `SCHEDULE_STEPS = ${whole(learningRate.steps)}  # length of the learning rate schedule`,
    warmupSteps > 0 && `WARMUP_STEPS = ${whole(warmupSteps)}`,
    settings.lrFactors.length > 0 && factorsText(subject, 'factor', 'LEARNING_RATE_FACTORS'),
    differing(subject).includes('decay') && factorsText(subject, 'decay', 'WEIGHT_DECAY_FACTORS'),
    settings.trainedEpochs.length > 0 && epochsText(subject),
    '',
    `SHAPE = (${model.input.join(', ')})  # channels, height, width`,
    `MEAN = ${list(mean)}  # per channel, for pixels in [0, 1]`,
    `STD = ${list(std)}`,
    '',
  );
}

/** Factors that are not 1, by parameter. */
function factorsText(subject: ProjectSubject, key: 'factor' | 'decay', name: string): string {
  const factors = groupsOf(subject)
    .filter((group) => group[key] !== 1)
    .flatMap((group) => group.entries.map((entry) => `    ${JSON.stringify(entry.name)}: ${group[key]},\n`));
  return `${name} = {  # 1 for all others\n${factors.join('')}}`;
}

/** The epochs of parameters that are not trained in all of them, by parameter. */
function epochsText(subject: ProjectSubject): string {
  const epochs = trainedInSome(subject).map(({ name, epochs: { first, last } }) => {
    const range = `range(${first}, ${last === MOST_EPOCH ? 'sys.maxsize' : last + 1})`;
    return `    ${JSON.stringify(name)}: ${range},\n`;
  });
  return `TRAINED_EPOCHS = {  # from 1; all others in every epoch\n${epochs.join('')}}`;
}
