/** What the page and its run are at this moment, for the checks of a lesson. */
import { NO_AUGMENTATION, showAugmentation } from '../../../../base/augmentation.ts';
import { settingsAt } from '../../../../run/settings/adjustments.ts';
import { linkOf } from '../../../../run/settings/table.ts';
import type { RecomputedRun, RunConfig } from '../../../../worker/api.ts';
import { chosenDataset } from '../../../actions/start.ts';
import { onEvent } from '../../../events.ts';
import { live, LiveMetrics } from '../../../metrics/live.ts';
import { usePad } from '../../../pad/pad-store.ts';
import { parseRoute } from '../../../route.ts';
import { engineOf } from '../../../state/device.ts';
import { OWN_MODEL } from '../../../state/own-model.ts';
import { DEFAULT_SETTINGS, formOf, TEXT_KEYS, type Settings } from '../../../state/settings.ts';
import { useApp, type AppState } from '../../../state/store.ts';
import type { CheckedRun, CheckedSetup, CheckMoment } from '../../../../lessons/checks.ts';
import type { Evidence, LessonProgress } from '../../../../lessons/progress.ts';

/** The form's settings by their names in links. */
function settingsByLink(settings: Settings): Record<string, string> {
  const { model, dataset, augmentation } = settings;
  const values = Object.entries(augmentation).map(([name, text]) => [name, Number(text)] as const);
  return {
    model,
    data: dataset,
    ...Object.fromEntries(TEXT_KEYS.map((key) => [linkOf(key), settings[key].trim()])),
    [linkOf('augmentation')]: showAugmentation({ ...NO_AUGMENTATION, ...Object.fromEntries(values) }),
  };
}

const opsOf = (model: RunConfig['model'] | undefined, { models }: AppState): string[] | undefined => {
  const layers = typeof model === 'object' ? model.layers : models.find(({ name }) => name === model)?.layers;
  return layers?.map(({ op }) => op);
};

/**
 * The run whose numbers `live` has, by the id under which it is kept. A run that is being started is in the state before
 * its numbers are.
 */
let shown: { runId: number; record: string | undefined } = { runId: 0, record: undefined };
// A run that is restarted is kept under another id.
onEvent('recording', ({ runId, id }) => {
  if (shown.runId === runId) shown = { runId, record: id };
});

function shownRun({ runId, runConfig, runState }: AppState): RunConfig | undefined {
  if (shown.runId !== runId) shown = { runId, record: runConfig?.record };
  if (runState === 'idle' || runConfig?.record === undefined || runConfig.record !== shown.record)
    return undefined;
  // As it trained: a change that no step has felt is one of the next steps.
  const { changes } = live;
  return changes ? settingsAt({ ...runConfig, ...changes.start }, changes.adjustments) : runConfig;
}

/** The prediction that was there when the image on the pad changed: of another image. */
let stale: ReturnType<typeof usePad.getState>['prediction'];
usePad.subscribe((now, before) => {
  if (now.image !== before.image) stale = now.prediction;
});

/** @param before the image that counts for nothing: it was there when the task was shown */
function padNow(before: Uint8Array | undefined): CheckMoment['pad'] {
  const { image, isExample, network, prediction } = usePad.getState();
  if (!image || image === before || isExample || !prediction || prediction === stale) return undefined;
  return { network, confidence: Math.max(...prediction.probabilities) };
}

const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean accuracy of the steps of the last whole epoch. */
function trainAccuracy({ curve, evaluations }: LiveMetrics): number | undefined {
  const [before, last] = [evaluations.at(-2)?.step ?? 0, evaluations.at(-1)?.step];
  if (last === undefined) return undefined;
  const { step, accuracy } = curve.points;
  const values: number[] = [];
  for (let i = curve.count - 1; step[i] > before; i--) if (step[i] <= last) values.push(accuracy[i]);
  return mean(values);
}

export const setupOf = (config: RunConfig, state: AppState): CheckedSetup => ({
  settings: settingsByLink({ ...DEFAULT_SETTINGS, model: OWN_MODEL, ...formOf(config) }),
  ops: opsOf(config.model, state),
});

/** What was measured of a run until now. */
function measuredOf(metrics: LiveMetrics): Omit<CheckedRun, keyof CheckedSetup | 'diverged'> {
  const last = metrics.lastEvaluation;
  return {
    steps: metrics.step,
    epochs: metrics.epoch,
    loss: mean(metrics.curve.tail.map(({ loss }) => loss)),
    testLoss: last?.testLoss,
    trainAccuracy: trainAccuracy(metrics),
    testAccuracy: last?.testAccuracy,
  };
}

/** What checks read after each step and test of a run that was computed to its end, with nothing beside it. */
export function* momentsOf(
  setup: CheckedSetup,
  { rows, evaluations, diverged }: Pick<RecomputedRun, 'rows' | 'evaluations' | 'diverged'>,
): Generator<CheckMoment & { run: CheckedRun }> {
  const metrics = new LiveMetrics();
  const now = (isBroken = false) => {
    const run = { ...setup, ...measuredOf(metrics), diverged: isBroken };
    return { next: setup, run, pad: undefined, ownImages: 0, screen: '', answer: undefined };
  };
  for (const row of rows) {
    metrics.addSteps([row]);
    yield now();
    const evaluation = evaluations.find(({ step }) => step === row.step);
    if (!evaluation) continue;
    metrics.addEvaluation(evaluation);
    yield now();
  }
  if (diverged) yield now(true);
}

/**
 * @param task whose answer is read
 * @param image what was on the pad when it was shown
 */
export function momentNow(
  { before, answers }: LessonProgress,
  task: number,
  image: Uint8Array | undefined,
): CheckMoment {
  const state = useApp.getState();
  const config = shownRun(state);
  const { screen, view } = parseRoute(location.hash);
  const dataset = chosenDataset(state);
  return {
    next: {
      settings: settingsByLink(state.settings),
      ops: opsOf(state.settings.model === OWN_MODEL ? state.ownModel : state.settings.model, state),
    },
    run:
      config && config.record !== before
        ? { ...setupOf(config, state), ...measuredOf(live), diverged: state.runError?.code === 'diverged' }
        : undefined,
    pad: padNow(image),
    ownImages: dataset?.own ? dataset.counts.train : 0,
    screen: view ? `${screen}/${view}` : screen || 'train',
    answer: answers[task]?.at(-1),
  };
}

/** What a task was done with: the values, and the run that has them. */
export function evidenceNow(values: Evidence['values'], moment: CheckMoment): Evidence {
  const state = useApp.getState();
  const { record, seed } = shownRun(state) ?? {};
  return {
    at: new Date().toISOString(),
    values,
    ...(moment.run && record !== undefined && seed !== undefined
      ? { run: { record, seed, step: moment.run.steps, engine: engineOf(state) } }
      : {}),
  };
}
