/** The convolutions of a model, as problems, and how a run would compute them. */
import { unlessFailure } from '../../base/result.ts';
import { get } from '../../engine/ops/conv/choice/get.ts';
import { chooseAll, convLayers, type ChoiceOptions } from '../../engine/ops/conv/choice/layers.ts';
import { convProblem } from '../../engine/ops/conv/problem.ts';
import type { Device } from '../../gpu/device.ts';
import type { Model } from '../../models/model.ts';
import type { ConvChoice, ConvUse, FindRequest, LayerUse } from '../api.ts';

/**
 * In the model's order, one per direction.
 * @param how what a run knows when it chooses
 * @throws Failure `bad-input` if a pin or the setting is not supported
 */
export function layerUses(device: Device, model: Model, batchSize: number, how: ChoiceOptions): LayerUse[] {
  const input = [batchSize, ...model.input];
  const { layers: chosen } = chooseAll(device, model.layers, input, how);
  return convLayers(model.layers, input).flatMap(({ layer, problem, directions }) =>
    directions.map((direction) => ({
      layer,
      direction,
      sizes: problem,
      predicted: get(device, problem, direction),
      // It contains every direction of every layer.
      next: chosen[layer][direction] as ConvUse,
    })),
  );
}

/** The predictions, one per request; undefined if no algorithm supports it. */
export const predictChoices = (
  device: Device,
  requests: readonly FindRequest[],
): (ConvChoice | undefined)[] =>
  requests.map(({ sizes, direction, ...options }) => {
    try {
      return get(device, convProblem(sizes), direction, options);
    } catch (error) {
      return unlessFailure(error);
    }
  });
