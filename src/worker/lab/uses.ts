/** The convolutions of a model, as problems, and how a run would compute them. */
import type { Known } from '../../engine/ops/conv/choice/db.ts';
import { get } from '../../engine/ops/conv/choice/get.ts';
import { chooseAll, convLayers, type Pin } from '../../engine/ops/conv/choice/layers.ts';
import type { Device } from '../../gpu/device.ts';
import type { Model } from '../../models/model.ts';
import type { ConvUse, LayerUse } from '../api.ts';

/**
 * In the model's order, one a direction.
 * @throws Failure `bad-input` if a pin cannot be kept
 */
export function layerUses(
  device: Device,
  model: Model,
  batchSize: number,
  pins: readonly Pin[],
  known: Known,
): LayerUse[] {
  const input = [batchSize, ...model.input];
  const { layers: chosen } = chooseAll(device, model.layers, input, { pins, known });
  return convLayers(model.layers, input).flatMap(({ layer, problem, directions }) =>
    directions.map((direction) => ({
      ...{ layer, direction, sizes: problem },
      predicted: get(device, problem, direction),
      // Every direction of every layer is in it.
      next: chosen[layer][direction] as ConvUse,
    })),
  );
}
