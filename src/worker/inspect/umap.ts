/** UMAP (McInnes, Healy and Melville, 2018), by the library umap-js; in a chunk of its own. */
import { UMAP } from 'umap-js';
import { Random } from '../../base/random.ts';

/** How long it computes before others have their turn. */
const TURN_MS = 10;

/**
 * The same points give the same map.
 * @param all [count, size]
 * @returns [count, 2]
 */
export async function umapOf(all: Float32Array, count: number): Promise<Float32Array> {
  const size = all.length / count;
  const random = new Random(1, 'umap');
  const umap = new UMAP({
    nComponents: 2,
    nNeighbors: Math.max(2, Math.min(15, count - 1)),
    minDist: 0.1,
    random: () => random.uint32() / 2 ** 32,
  });
  const rows = Array.from({ length: count }, (_, i) => [...all.subarray(i * size, (i + 1) * size)]);
  const epochs = umap.initializeFit(rows);
  let since = performance.now();
  for (let epoch = 0; epoch < epochs; epoch++) {
    umap.step();
    if (performance.now() - since < TURN_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  return Float32Array.from(umap.getEmbedding().flat());
}
