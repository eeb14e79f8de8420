/** A normalised batch in float64: (byte / 255 - mean) / std by channel. */
export function gatherReference(
  images: Uint8Array,
  [C, H, W]: readonly number[],
  mean: readonly number[],
  std: readonly number[],
  indices: readonly number[],
): Float64Array {
  const pixels = C * H * W;
  return Float64Array.from({ length: indices.length * pixels }, (_, i) => {
    const pixel = i % pixels;
    const channel = Math.floor(pixel / (H * W));
    return (images[indices[Math.floor(i / pixels)] * pixels + pixel] / 255 - mean[channel]) / std[channel];
  });
}
