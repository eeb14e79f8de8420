/** Convolution as plain loops on the CPU, in float32 as on the GPU: the lowest rung of the Lab's ladder. */
import { elements } from '../../../base/shape.ts';
import { inputIndexing, outputIndexing, weightIndexing } from './layout.ts';
import type { ConvProblem, Direction } from './problem.ts';
import { convTensorShape, DIRECTION_TENSORS } from './run.ts';

/**
 * Computes y, dx or dw into `output`, which is written completely.
 * @param inputs in DIRECTION_TENSORS' order
 */
export function convLoops(
  problem: ConvProblem,
  direction: Direction,
  inputs: readonly Float32Array[],
  output: Float32Array,
): void {
  const { N, C, H, W, K, R, S, P, Q, stride, padding, dilation, groups } = problem;
  const [xs, ws, ys] = [inputIndexing(problem), weightIndexing(problem), outputIndexing(problem)];
  const channels = C / groups;
  const last = problem.layout === 'nhwc';
  const pixels = { x: last ? C : 1, w: last ? channels : 1, y: last ? K : 1 };
  const filters = K / groups;
  const [first, second] = inputs;
  output.fill(0);
  for (let n = 0; n < N; n++) {
    for (let k = 0; k < K; k++) {
      const firstChannel = Math.floor(k / filters) * channels;
      for (let c = 0; c < channels; c++) {
        const image = xs.at(n, firstChannel + c, 0, 0);
        const filter = ws.at(k, c, 0, 0);
        const result = ys.at(n, k, 0, 0);
        for (let p = 0; p < P; p++) {
          for (let q = 0; q < Q; q++) {
            const y = result + (p * Q + q) * pixels.y;
            let sum = 0;
            for (let r = 0; r < R; r++) {
              const row = p * stride[0] - padding.top + r * dilation[0];
              if (row < 0 || row >= H) continue;
              for (let s = 0; s < S; s++) {
                const column = q * stride[1] - padding.left + s * dilation[1];
                if (column < 0 || column >= W) continue;
                const x = image + (row * W + column) * pixels.x;
                const w = filter + (r * S + s) * pixels.w;
                if (direction === 'fprop') sum += first[x] * second[w];
                else if (direction === 'dgrad') output[x] += first[y] * second[w];
                else output[w] += first[y] * second[x];
              }
            }
            if (direction === 'fprop') output[y] += sum;
          }
        }
      }
    }
  }
}

/** Most samples; fewer if one takes long. */
const SAMPLES = 10;
const MAX_MS = 2000;

/**
 * Times the loops: milliseconds per call, one value per sample. The first call is not measured, because JavaScript
 * compilers optimise during it.
 * @param shouldContinue called between calls; false ends the measurement
 */
export async function timeLoops(
  problem: ConvProblem,
  direction: Direction,
  shouldContinue: () => boolean,
): Promise<number[]> {
  const { inputs: names, output: name } = DIRECTION_TENSORS[direction];
  const inputs = names.map((input) =>
    Float32Array.from(
      { length: elements(convTensorShape(problem, input)) },
      (_, i) => ((i * 37) % 101) / 101,
    ),
  );
  const output = new Float32Array(elements(convTensorShape(problem, name)));
  const samples: number[] = [];
  const begin = performance.now();
  for (let i = 0; i <= SAMPLES && shouldContinue(); i++) {
    const start = performance.now();
    convLoops(problem, direction, inputs, output);
    if (i > 0) samples.push(performance.now() - start);
    // Yields to messages, so that this thread can be cancelled.
    await new Promise((done) => setTimeout(done));
    if (i > 0 && performance.now() - begin > MAX_MS) break;
  }
  return samples;
}
