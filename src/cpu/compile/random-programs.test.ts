import { expect, it } from 'vitest';
import { randomProgram } from '../testing/random-program.ts';
import { openCpuDevice, runShader } from '../testing/run-shader.ts';

it('random programs compute the same whether the compiler knows their input or not', async () => {
  const device = await openCpuDevice();
  for (let seed = 0; seed < 10; seed++) {
    const [[plain], [folded]] = await Promise.all(
      [false, true].map((known) => runShader(device, randomProgram(1000 * seed, known))),
    );
    expect(folded, `seed ${seed}`).toEqual(plain);
  }
});
