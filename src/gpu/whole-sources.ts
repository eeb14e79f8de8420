import { generatedSource } from './sources.ts';

/** Every shader as it was written, for people to read: what is built for the GPU is without comments. */
const files: Record<string, string> = import.meta.glob('/shaders/**/*.wgsl', {
  query: '?raw&whole',
  import: 'default',
  eager: true,
});

/** @param name path below shaders/, without the ending */
export function wholeSource(name: string): string {
  const text = files[`/shaders/${name}.wgsl`] ?? generatedSource(name);
  if (text === undefined) throw new Error(`wgrad bug: no shader shaders/${name}.wgsl`);
  return text;
}
