import { expect, test } from 'vitest';
import { shaderSource } from '../gpu/sources.ts';
import { packStep, STEP_HEADER_BYTES, stepSlotBytes } from './step.ts';

const names = [
  'lr',
  'weightDecay',
  'momentum',
  'beta2',
  'epsilon',
  'correction1',
  'correction2',
  'gain1',
  'gain2',
  'averaging',
];

test("fields have the shader's offsets", () => {
  const [, body] = /struct Step \{([^}]*)\}/.exec(shaderSource('common/step').replace(/\/\/.*$/gm, '')) ?? [];
  const members = [...body.matchAll(/(\w+): (\S+),/g)].map(([, name, type]) => `${name}: ${type}`);
  const snake = names.map((name) => `${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}: f32`);
  expect(members).toEqual([
    ...snake,
    'metrics_slot: u32',
    'count: u32',
    'seed: u32',
    'mix: f32',
    'crop: u32',
    'reflect: u32',
    'flip: u32',
    'alternate: u32',
    'cutout: u32',
    'run_seed: u32',
    'position: u32',
    'epoch: u32',
    'indices: array<u32>',
  ]);
  expect(STEP_HEADER_BYTES).toBe(4 * (members.length - 1));

  const view = new DataView(new ArrayBuffer(512 + 256));
  const fields = Object.fromEntries(names.map((name, i) => [name, i + 0.5]));
  packStep(view, 256, {
    ...fields,
    metricsSlot: 70,
    seed: 0xfedcba98,
    mix: 0.75,
    crop: 4,
    reflect: 1,
    flip: 2,
    alternate: 3,
    cutout: 8,
    runSeed: 9,
    position: 10,
    epoch: 11,
    indices: Uint32Array.of(80, 81, 4e9),
  });
  const floats = names.map((_, i) => view.getFloat32(256 + 4 * i, true));
  const words = [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((i) =>
    view.getUint32(256 + 4 * (names.length + i), true),
  );
  expect(floats).toEqual(names.map((_, i) => i + 0.5));
  expect(view.getFloat32(256 + 4 * (names.length + 3), true)).toBe(0.75);
  expect(words).toEqual([70, 3, 0xfedcba98, 4, 1, 2, 3, 8, 9, 10, 11, 80, 81, 4e9]);
});

test('a slot is a multiple of 256 bytes and holds the batch', () => {
  expect([1, 42, 43, 128].map(stepSlotBytes)).toEqual([256, 256, 512, 768]);
  const view = new DataView(new ArrayBuffer(256));
  packStep(view, 0, { metricsSlot: 0, indices: new Uint32Array(42) });
  expect(() => packStep(view, 0, { metricsSlot: 0, indices: new Uint32Array(43) })).toThrow(/does not fit/);
});

test('fields that are not set are 0, also over old data', () => {
  const view = new DataView(new Uint8Array(256).fill(0xff).buffer);
  packStep(view, 0, { lr: 0.25, metricsSlot: 1, indices: new Uint32Array(0) });
  expect(view.getFloat32(0, true)).toBe(0.25);
  expect(view.getFloat32(4, true)).toBe(0);
  // The seed and the augmentation; no mixup.
  const places = [10, 8, 7, 6, 5, 4, 3, 2, 1].map((back) =>
    view.getUint32(STEP_HEADER_BYTES - 4 * back, true),
  );
  expect(places).toEqual(new Array(9).fill(0));
  expect(view.getFloat32(STEP_HEADER_BYTES - 36, true)).toBe(1);
});
