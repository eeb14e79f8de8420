import { expect, test } from 'vitest';
import type { Layer } from '../../../graph.ts';
import { testDevice } from '../../../testing/gpu.ts';
import type { ConvAttributes } from '../index.ts';
import { get } from './get.ts';
import { convLayers, withChoicesFor, type ChosenBy, type ConvChoices } from './layers.ts';

const layers: readonly Layer[] = [
  { name: 'conv', op: 'conv', attributes: { outChannels: 16, kernelSize: [3, 3], padding: [1, 1] } },
];
const input = [50, 16, 14, 14];
/** Not what is predicted for float32 on any device. */
const algorithm = 'im2col_gemm';

/** The algorithm of a forward pass after a step's was chosen. */
async function algorithmAfter(by: ChosenBy, number: 'f32' | 'f16', layout: 'nchw' | 'nhwc'): Promise<string> {
  const choices: ConvChoices = {
    workspace: 2 ** 26,
    layout,
    layers: { conv: { fprop: { algorithm, launch: '', by } } },
  };
  const [conv] = withChoicesFor(await testDevice(), layers, input, choices, number);
  return (conv.attributes as ConvAttributes).run?.fprop?.algorithm ?? '';
}

test('a forward pass in float32 keeps what was chosen for float32, or by hand, and predicts what was for other numbers', async () => {
  const [{ problem }] = convLayers(layers, input);
  const predicted = get(await testDevice(), problem, 'fprop', { workspace: 2 ** 26 }).algorithm;
  expect(predicted).not.toBe(algorithm);
  for (const by of ['get', 'find'] as const) {
    expect(await algorithmAfter(by, 'f32', 'nchw')).toBe(algorithm);
    expect(await algorithmAfter(by, 'f16', 'nhwc')).toBe(predicted);
    expect(await algorithmAfter(by, 'f16', 'nchw')).toBe(predicted);
    expect(await algorithmAfter(by, 'f32', 'nhwc')).toBe(predicted);
  }
  for (const by of ['pin', 'rules'] as const) expect(await algorithmAfter(by, 'f16', 'nhwc')).toBe(algorithm);
});
