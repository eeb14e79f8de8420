/** The learning rate by step, as a function in Python. */
import type { RunSettings } from '../../../run/settings/table.ts';
import { lines } from './python.ts';
import type { ProjectSubject } from './subject.ts';

/** The constant of settings.py that has the schedule's steps. */
export const scheduleSteps = ({ learningRate, steps }: ProjectSubject): string =>
  learningRate?.steps === steps ? 'STEPS' : 'SCHEDULE_STEPS';

/** Undefined if the learning rate stays constant. */
export function scheduleText(subject: ProjectSubject): string | undefined {
  const { learningRate } = subject;
  if (!learningRate) return undefined;
  const { schedule, steps: all, warmupSteps = 0, stepSize, gamma = 0.1, minLr = 0 } = learningRate;
  const { pctStart = 0.3, divFactor = 25, finalDivFactor = 1e4 } = learningRate;
  const steps = all - warmupSteps;
  const end = scheduleSteps(subject);
  const length = warmupSteps > 0 ? `(${end} - WARMUP_STEPS)` : end;
  const place = `min(step, ${end} - 1)${warmupSteps > 0 ? ' - WARMUP_STEPS' : ''}`;
  const rise = pctStart * steps - 1;
  const fall = steps - 1 - rise;
  const rate: Record<RunSettings['schedule'], { first: string; says: string; body: string }> = {
    constant: { first: 'LEARNING_RATE', says: 'Constant', body: '    return LEARNING_RATE' },
    step: {
      first: 'LEARNING_RATE',
      says: `Times ${gamma} every ${stepSize ?? Math.ceil(steps / 3)} steps, like StepLR`,
      body: `    return LEARNING_RATE * ${gamma} ** ((${place}) // ${stepSize ?? Math.ceil(steps / 3)})`,
    },
    linear: {
      first: 'LEARNING_RATE',
      says: `A straight line down to ${minLr}, like LinearLR`,
      body: `    return LEARNING_RATE + (${minLr} - LEARNING_RATE) * (${place}) / ${length}`,
    },
    cosine: {
      first: 'LEARNING_RATE',
      says: `Half a cosine down to ${minLr}, like CosineAnnealingLR`,
      body: `    t = ${place}
    return ${
      minLr === 0
        ? `LEARNING_RATE * (1 + math.cos(math.pi * t / ${length})) / 2`
        : `${minLr} + (LEARNING_RATE - ${minLr}) * (1 + math.cos(math.pi * t / ${length})) / 2`
    }`,
    },
    'one-cycle': {
      first: `LEARNING_RATE / ${divFactor}`,
      says: 'Up to LEARNING_RATE and down again, each along half a cosine, like OneCycleLR',
      body: `    t = ${place}
    top = ${pctStart} * ${length} - 1
    first, last = LEARNING_RATE / ${divFactor}, LEARNING_RATE / ${divFactor * finalDivFactor}
    if t <= top:
        return anneal(first, LEARNING_RATE, ${rise === 0 ? '1' : 't / top'})
    return anneal(LEARNING_RATE, last, ${fall === 0 ? '1' : `(t - top) / (${length} - 1 - top)`})`,
    },
  };
  const { first, says, body } = rate[schedule as RunSettings['schedule']];
  return lines(
    'def learning_rate(step: float) -> float:',
    `    """The learning rate of a step, counted from 0. ${says}${warmupSteps > 0 ? ', after a linear warm-up of WARMUP_STEPS' : ''}."""`,
    warmupSteps > 0 &&
      `    if step < WARMUP_STEPS:
        return ${first} * (step + 1) / WARMUP_STEPS`,
    body,
    schedule === 'one-cycle' &&
      `

def anneal(start: float, end: float, part: float) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * part)) / 2`,
  );
}
