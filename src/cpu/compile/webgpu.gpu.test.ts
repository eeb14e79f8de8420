/** The same programs on the machine's WebGPU and on the processor: where WGSL leaves nothing open, the same bits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { count, SEED } from '../../base/testing/tier.ts';
import type { Device } from '../../gpu/device.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { OPERATORS, pairsOf, shaderOf, wordOf } from '../testing/operators.ts';
import { PROGRAMS } from '../testing/programs/index.ts';
import { differenceIn } from '../testing/random/difference.ts';
import { randomProgram } from '../testing/random/program.ts';
import { openCpuDevice, runShader } from '../testing/run-shader.ts';

let device: Device;
let cpu: GPUDevice;
beforeAll(async () => {
  device = await openNodeDevice();
  cpu = await openCpuDevice();
});
afterAll(() => {
  device.destroy();
});

it.each(PROGRAMS.filter(({ open }) => open === undefined))('$name', async (program) => {
  const [found] = await runShader(device.raw, program);
  expect([...found]).toEqual(program.expected);
});

describe.each(['u32', 'i32', 'f32'] as const)('operators of %s', (of) => {
  const operators = OPERATORS.filter((one) => one.of === of && one.open === undefined);
  const pairs = pairsOf(of);

  it.each(operators)('$text', async (operator) => {
    const words = pairs.flatMap((pair) => pair.map((number) => wordOf(of, number)));
    const run = {
      code: shaderOf([operator]),
      buffers: [pairs.map(() => 0), words],
      workgroups: [pairs.length] as const,
    };
    const [[there], [here]] = await Promise.all([runShader(device.raw, run), runShader(cpu, run)]);
    const differences = pairs.flatMap(([a, b], i) =>
      there[i] === here[i] ? [] : [`a = ${a}, b = ${b}: ${there[i]} there, ${here[i]} here`],
    );
    expect(differences).toEqual([]);
  });
});

it('random programs', async () => {
  for (let number = 0; number < count(12, 12, 300); number++) {
    const program = randomProgram(SEED, number, false);
    const found = await runShader(device.raw, program);
    expect(differenceIn(program, found), `seed ${SEED}, program ${number}:\n${program.code}`).toBeUndefined();
  }
});
