import { expect, it } from 'vitest';
import { link } from '../../gpu/link.ts';
import { shaderSource } from '../../gpu/sources.ts';
import { kernelNames, NEEDED } from '../../engine/all-kernels.ts';
import { compileKernel } from './kernel.ts';

it.each(await kernelNames())('%s compiles to a valid module', (name) => {
  const { code } = link(name, NEEDED[name] ?? {}, shaderSource);
  const kernel = compileKernel(code, false);
  expect(WebAssembly.validate(kernel.code)).toBe(true);
  expect(kernel.bindings.length).toBeGreaterThan(0);
});
