import { tryFolding, type MeasuredNetwork } from '../../engine/fold-trial.ts';
import type { LoadedNetwork } from '../../engine/forward-pass.ts';
import type { Device } from '../../gpu/device.ts';

/** Times a network's inference, alternating between folded and unfolded batch normalisation. */
export async function benchInference(device: Device, network: LoadedNetwork, wanted: number) {
  const trial = await tryFolding(device, network, wanted);
  const { folded, plain, foldedNetwork, difference, samples, clock } = trial;
  const columns = ({ median, p10, p90, ...rest }: MeasuredNetwork) => ({
    median_ms: median,
    p10_ms: p10,
    p90_ms: p90,
    images_per_second: (1000 * network.input[0]) / median,
    ...rest,
  });
  return {
    unfolded: columns(plain),
    folded: columns(foldedNetwork),
    layers_folded: folded.length,
    speed_up: plain.median / foldedNetwork.median,
    largest_difference: difference,
    n: samples,
    clock,
  };
}
