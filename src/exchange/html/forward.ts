/** One forward pass of a network on the processor, as data. */
import { assert } from '../../base/assert.ts';
import { cpuGpu } from '../../cpu/device/gpu.ts';
import { addressOf, recordingOf, type Recording } from '../../cpu/device/recording.ts';
import { chooseAll, withChoices } from '../../engine/ops/conv/choice/layers.ts';
import { ForwardPass } from '../../engine/forward-pass.ts';
import { openDevice } from '../../gpu/device.ts';
import type { Trained } from '../../models/file/weights.ts';

export interface Forward extends Recording {
  /** Where a normalised image of C x H x W floats goes, and where the logits are afterwards. */
  imageAddress: number;
  logitsAddress: number;
}

/** @throws Failure `bad-file` if weights are missing, `no-cpu-engine` where there is no WebAssembly */
export async function recordForward({
  model,
  parameters,
}: Pick<Trained, 'model' | 'parameters'>): Promise<Forward> {
  const device = await openDevice(cpuGpu());
  try {
    const input = [1, ...model.input];
    const layers = withChoices(model.layers, chooseAll(device, model.layers, input));
    const predictor = await ForwardPass.load(device, { layers, input, parameters });
    await device.idle();
    const encoder = device.raw.createCommandEncoder();
    const pass = encoder.beginComputePass();
    predictor.plan.encode(pass);
    pass.end();
    const recording = recordingOf(device.raw, encoder.finish());
    const { images, logits } = predictor.places;
    const [imageAddress, logitsAddress] = [images, logits].map(
      ({ buffer, offset }) => addressOf(buffer.raw) + offset,
    );
    assert(imageAddress > 0 && logitsAddress > 0, 'images and logits have a place');
    return { ...recording, imageAddress, logitsAddress };
  } finally {
    device.destroy();
  }
}
