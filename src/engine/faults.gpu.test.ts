import { expect, test } from 'vitest';
import { optimizers } from './optimizers/registry.ts';
import { FAULT_WORDS, NOWHERE } from './optimizers/update.ts';
import { packStep, stepSlotBytes } from './step.ts';
import { runPlan } from './testing/gpu.ts';

const COUNT = 700;
const SLOT = 2;

type Places = [place: number, value: number][];

const cases: [what: string, gradients: Places, parameters: Places, found: [number, number]][] = [
  ['all is finite', [], [], [NOWHERE, NOWHERE]],
  [
    'gradients are infinite and NaN',
    [
      [601, NaN],
      [70, -Infinity],
      [130, Infinity],
    ],
    [],
    [70, 70],
  ],
  ['parameters are infinite', [], [[333, Infinity]], [NOWHERE, 333]],
];

/** Ones, except for the values at `places`. */
function numbers(places: Places): { shape: number[]; data: Float32Array<ArrayBuffer> } {
  const data = new Float32Array(COUNT).fill(1);
  for (const [place, value] of places) data[place] = value;
  return { shape: [COUNT], data };
}

for (const name of ['sgd', 'adam', 'rmsprop']) {
  test.each(cases)(`${name}: %s`, async (_, badGradients, badParameters, found) => {
    const optimizer = optimizers.get(name);
    const settings = { ...optimizer.defaults, lr: 0.1 };
    const slotBytes = stepSlotBytes(1);
    const data = new Uint8Array(slotBytes);
    const fields = { ...optimizer.stepFields(1, settings), metricsSlot: SLOT, indices: new Uint32Array(1) };
    packStep(new DataView(data.buffer), 0, fields);
    const zeros = () => ({ shape: [COUNT], data: new Float32Array(COUNT) });
    const before = new Float32Array(new Uint32Array((SLOT + 2) * FAULT_WORDS).fill(NOWHERE).buffer);
    const { faults } = await runPlan({
      inputs: { gradients: numbers(badGradients) },
      outputs: {
        parameters: numbers(badParameters),
        ...Object.fromEntries(optimizer.states.map((state) => [state, zeros()])),
        faults: { shape: [SLOT + 2, FAULT_WORDS], data: before },
      },
      step: { data, slotBytes },
      build: (plan, tensors) => {
        const { parameters, gradients, faults: ring, ...states } = tensors;
        optimizer.plan(plan, { parameters, gradients, states, faults: ring }, settings);
      },
    });
    const words = new Uint32Array(faults.buffer, faults.byteOffset, faults.length);
    expect([...words]).toEqual([NOWHERE, NOWHERE, NOWHERE, NOWHERE, ...found, NOWHERE, NOWHERE]);
  });
}
