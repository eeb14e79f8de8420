import { lazily } from '../base/lazily.ts';

/** Files of shaders: their texts by their paths. */
export type ShaderFiles = Record<string, string>;

/** Those that a first training uses; the others are in later/. */
const files: ShaderFiles = import.meta.glob(
  [
    '/shaders/**/*.wgsl',
    '!/shaders/conv/{channels_last,choice,fft,pointwise,winograd}/*.wgsl',
    '!/shaders/{activation,batch_norm,dropout,maxout}/*.wgsl',
    '!/shaders/{add,average,concat,conv/im2col_gemm,conv/loops}/*.wgsl',
    '!/shaders/gemm/matrices.wgsl',
    '!/shaders/relu/*.wgsl',
    '!/shaders/measures/histogram.wgsl',
    '!/shaders/parameters/copy_weights.wgsl',
    '!/shaders/gradients/factors.wgsl',
    '!/shaders/loss/views.wgsl',
    '!/shaders/conv/transpose.wgsl',
    '!/shaders/optimizers/{rmsprop,muon/*}.wgsl',
    '!/shaders/pooling/avg_*.wgsl',
    '!/shaders/conv/direct/{dgrad,pack*,tile*,wgrad*}.wgsl',
    '!/shaders/conv/implicit_gemm/{dgrad_strided,few_channels}.wgsl',
  ],
  { query: '?raw', import: 'default', eager: true },
);

/** The text of every shader, by its path below shaders/ without the extension: "conv/direct/fprop". */
const sources = new Map<string, string>();

function add(some: ShaderFiles): void {
  for (const [path, text] of Object.entries(some))
    sources.set(path.slice('/shaders/'.length, -'.wgsl'.length), text);
}

add(files);

const rare = lazily(() => import('./later/rare.ts'));

/** Beginnings of the names of shaders that are fetched when one of their kernels is first used. */
const folders = new Map([
  ['activation/', rare],
  ['add/', rare],
  ['average/', rare],
  ['batch_norm/', lazily(() => import('./later/batch-norm.ts'))],
  ['concat/', rare],
  ['conv/channels_last/', lazily(() => import('./later/channels-last.ts'))],
  ['conv/choice/', lazily(() => import('./later/choice.ts'))],
  ['conv/direct/dgrad', rare],
  ['conv/direct/pack', rare],
  ['conv/direct/tile', rare],
  ['conv/direct/wgrad', rare],
  ['conv/fft/', lazily(() => import('./later/fft.ts'))],
  ['conv/im2col_gemm/', rare],
  ['conv/implicit_gemm/dgrad_strided', rare],
  ['conv/implicit_gemm/few_channels', rare],
  ['conv/loops/', rare],
  ['conv/pointwise/', rare],
  ['conv/transpose', rare],
  ['conv/winograd/', lazily(() => import('./later/winograd.ts'))],
  ['dropout/', rare],
  ['gemm/matrices', rare],
  ['gradients/factors', rare],
  ['loss/views', rare],
  ['maxout/', rare],
  ['measures/histogram', rare],
  ['optimizers/muon/', rare],
  ['optimizers/rmsprop', rare],
  ['parameters/copy_weights', rare],
  ['pooling/avg_', rare],
  ['relu/', rare],
]);

/** Those that are not here yet. */
const later = new Map(folders);

/** Whether `shaderSource` needs `fetchShaders` first. */
export const isFetchedLater = (name: string): boolean =>
  [...later.keys()].some((folder) => name.startsWith(folder));

/**
 * Fetches the shaders that the page starts without.
 * @param name only those that this one comes with
 * @throws Failure `download`
 */
export async function fetchShaders(name?: string): Promise<void> {
  const wanted = [...later].filter(([folder]) => name === undefined || name.startsWith(folder));
  const fetched = await Promise.all(wanted.map(([, load]) => load()));
  for (const [i, [folder]] of wanted.entries()) {
    for (const [file, text] of toGenerate) if (file.startsWith(folder)) generated.set(file, await text());
    add(fetched[i].default);
    later.delete(folder);
  }
}

/** Files whose texts are computed, before and after. */
const toGenerate = new Map<string, () => Promise<string>>();
const generated = new Map<string, string>();

/** Adds a file whose text is computed when the other shaders of its folder are fetched. */
export function generateShader(name: string, text: () => Promise<string>): void {
  toGenerate.set(name, text);
  // Its folder may have been fetched before, without it.
  for (const [folder, load] of folders) if (name.startsWith(folder)) later.set(folder, load);
}

/** Call `fetchShaders` first. */
export const generatedSource = (name: string): string | undefined => generated.get(name);

export function shaderSource(name: string): string {
  const text = sources.get(name) ?? generatedSource(name);
  if (text === undefined) throw new Error(`wgrad bug: no shader shaders/${name}.wgsl`);
  return text;
}

/** The names of all shaders; call `fetchShaders` first. */
export function shaderNames(): string[] {
  if (later.size > 0) throw new Error('wgrad bug: not all shaders are here yet');
  return [...sources.keys(), ...generated.keys()].sort();
}

/**
 * A fingerprint of texts, 64 bits as hexadecimal digits: FNV-1a twice, from two initial values. Not secure against
 * deliberate collisions.
 */
export function fingerprint(texts: Iterable<string>): string {
  let [a, b] = [0x811c9dc5, 0x050c5d1f];
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code, 0x01000193);
    }
    // A separator between texts, so that moving a line from one to the next changes the fingerprint.
    a = Math.imul(a ^ 0x10000, 0x01000193);
    b = Math.imul(b ^ 0x10000, 0x01000193);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
