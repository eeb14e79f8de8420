/** Random programs against plain TypeScript. WGRAD_SEED repeats them. */
import { expect, it } from 'vitest';
import { count, SEED } from '../../base/testing/tier.ts';
import { differenceIn } from '../testing/random/difference.ts';
import { randomProgram } from '../testing/random/program.ts';
import { openCpuDevice, runShader } from '../testing/run-shader.ts';

const TIMEOUT_MS = count(300_000, 300_000, 7_200_000);

it(
  'random programs write what they should',
  async () => {
    const device = await openCpuDevice();
    for (let number = 0; number < count(1000, 2000, 100_000); number++) {
      const program = randomProgram(SEED, number);
      const difference = await runShader(device, program).then(
        (found) => differenceIn(program, found),
        (error: unknown) => String(error),
      );
      expect(difference, `seed ${SEED}, program ${number}:\n${program.code}`).toBeUndefined();
    }
  },
  TIMEOUT_MS,
);
