/** The project's settings.py. */
import { counted, lines, list, whole } from './python.ts';
import { groupsOf, type Subject } from './subject.ts';

export function settingsText(subject: Subject): string {
  const { model, settings, steps, step, learningRate, normalisation } = subject;
  const { mean, std } = normalisation;
  const { warmupSteps = 0 } = learningRate ?? {};
  return lines(
    `"""The settings of the run, as they were after step ${counted(step)}."""`,
    '',
    `SEED = ${settings.seed}`,
    `BATCH_SIZE = ${settings.batchSize}  # images a step, of all processes together`,
    `STEPS = ${whole(steps)}  # of the whole run`,
    `LEARNING_RATE = ${settings.lr}${learningRate ? '  # see learning_rate() in train.py' : ''}`,
    learningRate &&
      learningRate.steps !== steps &&
      `SCHEDULE_STEPS = ${whole(learningRate.steps)}  # over which the learning rate changes`,
    warmupSteps > 0 && `WARMUP_STEPS = ${whole(warmupSteps)}`,
    settings.lrFactors.length > 0 && factorsText(subject),
    '',
    `SHAPE = (${model.input.join(', ')})  # channels, height, width`,
    `MEAN = ${list(mean)}  # of pixels in [0, 1], by channel`,
    `STD = ${list(std)}`,
    '',
  );
}

/** The factors of the learning rate that are not 1, by parameter. */
function factorsText(subject: Subject): string {
  const factors = groupsOf(subject)
    .filter(({ factor }) => factor !== 1)
    .flatMap(({ factor, entries }) => entries.map(({ name }) => `    ${JSON.stringify(name)}: ${factor},\n`));
  return `LEARNING_RATE_FACTORS = {  # 1 for all others\n${factors.join('')}}`;
}
