/** A kept run as it is handed in. */
import { Failure } from '../../base/result.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import { toJson } from '../../models/file/write.ts';
import { MOST_STEPS, type HandedRun } from '../../run/handed-in/format.ts';
import { packLosses } from '../../run/handed-in/losses.ts';
import { SETTING_KEYS } from '../../run/settings/table.ts';
import type { StoredRun } from '../api.ts';
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
  const { config, changes, evaluations } = record;
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
    settings: settingsOf(record),
    adjustments: (changes?.adjustments ?? []).filter((one) => one.step < steps).map((one) => ({ ...one })),
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

/** At step 0, and nothing else of its configuration. */
function settingsOf({ config, changes }: StoredRun): HandedRun['settings'] {
  const begun = { ...config, ...changes?.start };
  return Object.fromEntries(
    SETTING_KEYS.flatMap((key) => (begun[key] === undefined ? [] : [[key, begun[key]]])),
  ) as HandedRun['settings'];
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
