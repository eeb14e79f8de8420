/** Every kernel that there is, for a list of them and for tests of all. */
// oxlint-disable-next-line import/no-unassigned-import -- adds the files that Winograd's algorithms generate
import './ops/conv/algorithms/winograd/shape.ts';
import { filesOf, type Constants } from '../gpu/link.ts';
import { fetchShaders, shaderNames, shaderSource } from '../gpu/sources.ts';

/** Constants without which a kernel does not compile: they choose functions that it has. */
export const NEEDED: Readonly<Record<string, Constants>> = {
  'conv/channels_last/correlate': { Row: 'vec4u' },
  'conv/channels_last/wgrad': { A_ALONG_K: false, B_ALONG_K: false },
};

/** The parts that complete a kernel's file, for files that need one. */
function partsOf(file: string): readonly string[] {
  if (/^activation\/(for|back)ward$/.test(file)) {
    const names = shaderNames().filter((name) => name.startsWith('activation/'));
    return names
      .map((name) => name.slice('activation/'.length))
      .filter((name) => !/^(for|back)ward$/.test(name));
  }
  if (/^conv\/implicit_gemm\/(fprop|dgrad)$/.test(file)) return ['position', 'position_table'];
  if (file === 'conv/winograd/fused') return ['f2x3'];
  if (/^conv\/winograd\/(filter|gradient|input|output|weights)$/.test(file))
    return ['f2x3', 'f4x3', 'f2x5', 'f4x5'];
  return [];
}

/**
 * The names of all kernels, with the parts that complete them. Fetches all shaders.
 * @throws Failure `download`
 */
export async function kernelNames(): Promise<string[]> {
  await fetchShaders();
  const names = shaderNames().flatMap((file) => {
    const parts = partsOf(file);
    return parts.length > 0 ? parts.map((part) => `${file}:${part}`) : file;
  });
  const imported = new Set(names.flatMap((name) => filesOf(name, shaderSource).slice(1)));
  // Files that no other uses have to stand as kernels.
  return names.filter((name) => !imported.has(name));
}
