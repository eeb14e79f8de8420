/** The contenders' sources, to be shown and counted, and which versions of their libraries are installed. */

const sources = import.meta.glob<string>('./contenders/*.ts', { query: '?raw', import: 'default' });
const installed = import.meta.glob<string>(
  './node_modules/{@jax-js/jax,@tensorflow/{tfjs-core,tfjs-layers},onnxruntime-web}/package.json',
  { import: 'version', exhaustive: true },
);

/** @param name of the contender's file */
export const sourceOf = (name: string): Promise<string> => sources[`./contenders/${name}.ts`]();

/** Lines with code: without those that are blank, or comments alone. */
export const linesOfCode = (source: string): number =>
  source.split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;

/** The version of a package; undefined if it is not installed. */
export const versionOf = async (name: string): Promise<string | undefined> =>
  installed[`./node_modules/${name}/package.json`]?.();
