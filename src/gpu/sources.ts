/** The text of every shader, by its path below shaders/ without the ending: "conv/direct/fprop". */
const files: Record<string, string> = import.meta.glob('/shaders/**/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const sources = new Map(
  Object.entries(files).map(([path, text]) => [path.slice('/shaders/'.length, -'.wgsl'.length), text]),
);

export function shaderSource(name: string): string {
  const text = sources.get(name);
  if (text === undefined) throw new Error(`wgrad bug: no shader shaders/${name}.wgsl`);
  return text;
}

export const shaderNames = (): string[] => [...sources.keys()].sort();
