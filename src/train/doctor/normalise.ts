import { channelScales } from '../../engine/gather/index.ts';
import type { Dataset } from '../../data/dataset.ts';

/** Images as the network sees them. @param bytes any number of images of the set's shape */
export function normalised(
  bytes: Uint8Array,
  { shape: [channels, height, width], mean, std }: Pick<Dataset, 'shape' | 'mean' | 'std'>,
): Float32Array<ArrayBuffer> {
  const scales = channelScales(mean, std);
  return Float32Array.from(bytes, (byte, i) => {
    const channel = 2 * (Math.floor(i / (height * width)) % channels);
    return (byte / 255 - scales[channel]) / scales[channel + 1];
  });
}
