/** A kept run as it is handed in. */
import { Failure } from '../../base/result.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import { toJson } from '../../models/file/write.ts';
import { MOST_STEPS, type HandedRun } from '../../run/handed-in/format.ts';
import { packLosses } from '../../run/handed-in/losses.ts';
import { SETTING_KEYS, settingOf, type SettingKey } from '../../run/settings/table.ts';
import { actedOn, type Adjustment } from '../../run/settings/adjustments.ts';
import type { RunConfig, StoredRun } from '../api.ts';
import { modelOf } from '../builder/choice.ts';
import type { Services } from '../services.ts';

type Kept = Pick<Services, 'datasets' | 'runs' | 'store'>;

export function handedRun(
  services: Kept,
  id: string,
  step: number,
  engine: HandedRun['engine'],
): Promise<HandedRun> {
  // What an open run did last is written when it pauses.
  return services.runs.whilePaused(async () => {
    await services.runs.written();
    return packed(services, id, step, engine);
  });
}

async function packed(
  { datasets, store }: Kept,
  id: string,
  wanted: number,
  engine: HandedRun['engine'],
): Promise<HandedRun> {
  const record = await store.get(id);
  const { config, changes = [], evaluations } = record;
  const { step: places, loss } = await store.files.curves(id);
  const steps = Math.min(wanted, MOST_STEPS, places.length);
  if (steps === 0 || places.subarray(0, steps).some((place, i) => place !== i + 1))
    throw new Failure(
      'not-found',
      `The losses of ${record.name} are not kept for every step.`,
      'Do the task again with a new run.',
    );
  const test = evaluations.findLast((one) => one.step <= steps);
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  const { model, start, dataset } = config;
  return {
    engine,
    adapter: record.adapter.slice(0, 200),
    model: typeof model === 'string' ? model : ownModel(toJson(await modelOf(model))),
    dataset,
    images: await datasetChecksum(await datasets.get(dataset)),
    settings: settingsOf(config),
    adjustments: actedOn(changes, steps).flatMap(stepwise),
    pins: engine === 'cpu' ? pinsOf(record) : [],
    ...(start ? { start: start.name.slice(0, 200) } : {}),
    steps,
    losses: await packLosses(loss.slice(0, steps)),
    ...(test
      ? {
          test: {
            step: test.step,
            testLoss: finite(test.testLoss),
            testAccuracy: finite(test.testAccuracy),
            ...(test.validationLoss === undefined ? {} : { validationLoss: finite(test.validationLoss) }),
            ...(test.validationAccuracy === undefined
              ? {}
              : { validationAccuracy: finite(test.validationAccuracy) }),
          },
        }
      : {}),
  };
}

const ownModel = (text: string) => JSON.parse(text) as Exclude<HandedRun['model'], string>;

/** Nothing else of its configuration. */
const settingsOf = (config: RunConfig): HandedRun['settings'] =>
  Object.fromEntries(
    SETTING_KEYS.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])),
  ) as HandedRun['settings'];

/** What of a change is felt by steps: none, or one. */
function stepwise({ step, ...changes }: Adjustment): HandedRun['adjustments'] {
  const felt = Object.entries(changes).filter(([key]) => settingOf(key as SettingKey).live === 'step');
  return felt.length > 0 ? [{ step, ...Object.fromEntries(felt) }] : [];
}

/** Algorithms that do not follow from the settings: those chosen by hand, and those that were measured here. */
function pinsOf({ config, choices }: StoredRun): HandedRun['pins'] {
  const found = Object.entries(choices).flatMap(([layer, uses]) =>
    Object.entries(uses).flatMap(([direction, { algorithm, launch, by }]) =>
      by === 'find'
        ? [{ layer, direction: direction as 'fprop' | 'dgrad' | 'wgrad', algorithm, launch }]
        : [],
    ),
  );
  return [...(config.pins ?? []).map((pin) => ({ ...pin })), ...found];
}
