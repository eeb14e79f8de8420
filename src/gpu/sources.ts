import { lazily } from '../base/lazily.ts';

/** Files of shaders: their texts by their paths. */
export type ShaderFiles = Record<string, string>;

/** Those that a first training uses. */
const files: ShaderFiles = import.meta.glob(
  [
    '/shaders/{common,gather,gemm,linear}/*.wgsl',
    '!/shaders/{common/{exponential,sigmoid},gemm/*matrices}.wgsl',
    '/shaders/conv/{geometry,problem,bias_gradient/*}.wgsl',
    '/shaders/conv/implicit_gemm/{columns,dgrad,fprop,gather,position,position_table,sum_slices,wgrad}.wgsl',
    '/shaders/loss/{confidence,metrics,softmax_cross_entropy}.wgsl',
    '/shaders/measures/{before,chunks,layers,update}.wgsl',
    '/shaders/optimizers/{adam,blocks,sgd,update}.wgsl',
    '/shaders/pooling/{gradient,max_*,windows}.wgsl',
    '/shaders/relu/forward.wgsl',
    '/shaders/profile/*.wgsl',
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

/**
 * All shaders, fetched by group when one that is not here is first used. By the beginnings of their names; the first that
 * fits is a file's. They are other modules than the first ones above (`?raw&later`), which the script that loads first
 * would have to export otherwise.
 */
const groups: readonly { prefix: string; load: () => Promise<{ default: ShaderFiles }> }[] = [
  { prefix: 'conv/fft/', load: lazily(() => import('./later/fft.ts')) },
  { prefix: 'conv/winograd/', load: lazily(() => import('./later/winograd.ts')) },
  { prefix: 'conv/direct/', load: lazily(() => import('./later/direct.ts')) },
  { prefix: 'conv/', load: lazily(() => import('./later/conv.ts')) },
  { prefix: 'gemm/', load: lazily(() => import('./later/gemm.ts')) },
  { prefix: '', load: lazily(() => import('./later/others.ts')) },
];
const groupsHere = new Set<string>();
const prefixOf = (file: string) => groups.find(({ prefix }) => file.startsWith(prefix))?.prefix ?? '';

/** Files whose texts are computed, before and after. */
const toGenerate = new Map<string, () => Promise<string>>();
const generated = new Map<string, string>();

/** Whether `shaderSource` needs `fetchShaders` first. */
export const isFetchedLater = (file: string): boolean =>
  toGenerate.has(file) || (!sources.has(file) && !groupsHere.has(prefixOf(file)));

/**
 * Fetches the shaders that the page starts without.
 * @param wanted the only ones that are needed; default all. Others of their groups come with them
 * @throws Failure `download`
 */
export async function fetchShaders(wanted?: readonly string[]): Promise<void> {
  const computed = [...toGenerate].filter(([file]) => wanted === undefined || wanted.includes(file));
  const texts = await Promise.all(computed.map(([, text]) => text()));
  for (const [i, [file]] of computed.entries()) {
    generated.set(file, texts[i]);
    toGenerate.delete(file);
  }
  const prefixes = wanted?.map(prefixOf);
  const needed = groups.filter(({ prefix }) => prefixes?.includes(prefix) ?? true);
  for (const { default: some } of await Promise.all(needed.map(({ load }) => load()))) add(some);
  for (const { prefix } of needed) groupsHere.add(prefix);
}

/** Adds a file whose text is computed when it is fetched. */
export function generateShader(name: string, text: () => Promise<string>): void {
  toGenerate.set(name, text);
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
  if (groupsHere.size < groups.length || toGenerate.size > 0)
    throw new Error('wgrad bug: not all shaders are here yet');
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
