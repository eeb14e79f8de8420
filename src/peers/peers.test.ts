import { expect, test } from 'vitest';
import { leNetFile } from './onnx/lenet.ts';
import { encode } from './onnx/protobuf.ts';
import { linesOfCode, sourceOf } from './sources.ts';

test('messages are encoded as in the guide', () => {
  // https://protobuf.dev/programming-guides/encoding: a = 150, then b = "testing", then an inner message with a = 150.
  expect([...encode({ 1: 150 })]).toEqual([0x08, 0x96, 0x01]);
  expect([...encode({ 2: 'testing' })]).toEqual([0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
  expect([...encode({ 3: encode({ 1: 150 }) })]).toEqual([0x1a, 0x03, 0x08, 0x96, 0x01]);
  expect([...encode({ 4: [3, 270] })]).toEqual([0x20, 0x03, 0x20, 0x8e, 0x02]);
});

test('an ONNX file has its operators and weights', () => {
  const weights = new Map([['fc1.weight', { shape: [1, 2], data: Float32Array.of(1, -2) }]]);
  const text = new TextDecoder('latin1').decode(leNetFile(weights));
  for (const type of ['Conv', 'Relu', 'MaxPool', 'Flatten', 'Gemm', 'Softmax']) expect(text).toContain(type);
  expect(text).toContain('fc1.weight');
  expect(text).toContain('\x00\x00\x80\x3f\x00\x00\x00\xc0');
});

test('lines of code are those that are neither blank nor comments', async () => {
  expect(linesOfCode('/** A.\n * B. */\n\nconst a = 1; // one\n  // two\nlet b;\n')).toBe(2);
  for (const name of ['wgrad', 'tfjs', 'onnxruntime', 'jax']) {
    expect(linesOfCode(await sourceOf(name))).toBeGreaterThan(10);
  }
});
