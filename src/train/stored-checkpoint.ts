/** Reads checkpoints from files and the browser's storage. */
import * as v from 'valibot';
import { checked } from '../base/checked.ts';
import { Failure } from '../base/result.ts';
import { LAYOUTS } from '../engine/dispatch.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { parseModel } from '../models/file/parse.ts';
import { toJson } from '../models/file/write.ts';
import type { Model } from '../models/model.ts';
import { withStoredSettings } from '../run/settings/stored.ts';
import type { Checkpoint } from './checkpoint.ts';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const perChannel = v.pipe(v.array(v.pipe(v.number(), v.finite())), v.minLength(1), v.maxLength(4));
const deviations = v.pipe(
  perChannel,
  v.check((found) => found.every((value) => value > 0), 'above 0'),
);
const arrays = v.pipe(
  v.record(v.string(), v.instance(Float32Array)),
  v.check((found) => Object.keys(found).length > 0, 'parameters'),
);
const Choice = v.looseObject({ algorithm: v.string(), launch: v.string(), by: v.string() });

/** Settings, and the values of adjustments, are checked where they are read. */
const Stored = v.looseObject({
  step: count,
  epoch: count,
  config: v.looseObject({
    model: v.looseObject({ name: v.string(), title: v.string(), layers: v.array(v.looseObject({})) }),
    choices: v.looseObject({
      workspace: count,
      cpu: v.optional(v.boolean()),
      layout: v.optional(v.picklist(LAYOUTS)),
      layers: v.record(v.string(), v.record(v.string(), Choice)),
    }),
    lastStep: v.optional(count),
    learningRate: v.optional(
      v.looseObject({ schedule: v.string(), steps: count, warmupSteps: v.optional(count) }),
    ),
    adjustments: v.optional(v.array(v.looseObject({ step: count }))),
    fork: v.optional(v.looseObject({ snapshot: arrays, steps: count })),
    pins: v.optional(v.array(v.looseObject({ algorithm: v.string() }))),
    mixed: v.optional(v.looseObject({})),
  }),
  dataset: v.looseObject({
    name: v.string(),
    classes: v.array(v.string()),
    mean: perChannel,
    std: deviations,
  }),
  snapshot: arrays,
  history: v.looseObject({
    epoch: v.looseObject({ loss: v.number(), steps: count }),
    loss: v.optional(v.number()),
    evaluations: v.array(v.looseObject({ step: count, epoch: count })),
    due: v.optional(count),
  }),
});

/**
 * Checks that plain data is a checkpoint: that a file has the right checksum is no reason to trust it.
 * @throws Failure('bad-file') naming the first part that is wrong
 */
export function asCheckpoint(name: string, value: unknown): Checkpoint {
  checked(name, Stored, value);
  const checkpoint = value as Checkpoint;
  requireParameters(name, checkedModel(name, checkpoint.config.model), checkpoint);
  return { ...checkpoint, config: withStoredSettings(`${name}: the configuration`, checkpoint.config) };
}

/** @throws Failure('bad-file') unless the model would be valid as a file, too */
function checkedModel(name: string, model: Model): Model {
  try {
    return parseModel(`${name}: the model`, toJson(model));
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad-file') throw error;
    throw new Failure('bad-file', `${name}: the model: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** What a checkpoint's model needs takes memory before its values are used. @throws Failure('bad-file') if it has others */
function requireParameters(name: string, { layers, input }: Model, { snapshot }: Checkpoint): void {
  const { length } = layoutParameters(inferShapes(layers, [1, ...input]));
  const found = snapshot['parameters']?.length ?? 0;
  if (found !== length)
    throw new Failure('bad-file', `${name}: expected ${length} parameters for its model, found ${found}`);
}
