/** Every kernel that there is, for tests of all of them. */
// oxlint-disable-next-line import/no-unassigned-import -- adds the files that Winograd's algorithms generate
import '../../engine/ops/conv/algorithms/winograd/shape.ts';
import { filesOf, type Constants } from '../link.ts';
import { fetchShaders, shaderNames, shaderSource } from '../sources.ts';

await fetchShaders();

/** Kernels whose files need a part, with every part that there is for them. */
export const COMPLETED: Readonly<Record<string, readonly string[]>> = {
  'activation/forward': activations(),
  'activation/backward': activations(),
  'conv/winograd/fused': ['f2x3'],
  'conv/implicit_gemm/fprop': ['position', 'position_table'],
  'conv/implicit_gemm/dgrad': ['position', 'position_table'],
  ...Object.fromEntries(
    ['filter', 'gradient', 'input', 'output', 'weights'].map((file) => [
      `conv/winograd/${file}`,
      ['f2x3', 'f4x3', 'f2x5', 'f4x5'],
    ]),
  ),
};

/** Constants without which a kernel does not compile: they choose functions that it has. */
export const NEEDED: Readonly<Record<string, Constants>> = {
  'conv/channels_last/correlate': { Row: 'vec4u' },
  'conv/channels_last/wgrad': { A_ALONG_K: false, B_ALONG_K: false },
};

function activations(): string[] {
  const parts = shaderNames().filter((name) => name.startsWith('activation/'));
  return parts
    .map((name) => name.slice('activation/'.length))
    .filter((name) => !/^(for|back)ward$/.test(name));
}

/** Names of all kernels, with the parts that complete them. */
export function kernelNames(): string[] {
  const importsOf = (name: string) => filesOf(name, shaderSource).slice(1);
  const completed = Object.entries(COMPLETED).flatMap(([file, parts]) =>
    parts.map((part) => `${file}:${part}`),
  );
  const used = new Set([...shaderNames(), ...completed].flatMap(importsOf));
  // Files that no other uses have to stand as kernels.
  return [...shaderNames().filter((name) => !used.has(name) && !(name in COMPLETED)), ...completed];
}
