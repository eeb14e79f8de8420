import { expect, it } from 'vitest';
import { PROGRAMS } from '../testing/programs/index.ts';
import { openCpuDevice, runShader } from '../testing/run-shader.ts';

it.each(PROGRAMS)('$name', async (program) => {
  const [found] = await runShader(await openCpuDevice(), program);
  expect([...found]).toEqual(program.expected);
});
