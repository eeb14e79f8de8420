import { generatedSource } from './sources.ts';

/** Every shader with its comments, for display: builds for the GPU have no comments. */
const files: Record<string, string> = import.meta.glob('/shaders/**/*.wgsl', {
  query: '?raw&whole',
  import: 'default',
  eager: true,
});

/** @param name path below shaders/, without the extension */
export function wholeSource(name: string): string {
  const text = files[`/shaders/${name}.wgsl`] ?? generatedSource(name);
  if (text === undefined) throw new Error(`wgrad bug: no shader shaders/${name}.wgsl`);
  return text;
}
