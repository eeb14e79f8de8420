/** The contenders' sources, to be shown and counted, and the versions of their libraries. */

const sources = import.meta.glob<string>('./contenders/*.ts', { query: '?raw', import: 'default' });
const packageFile = import.meta.glob<Readonly<Record<string, string>>>('/package.json', {
  import: 'dependencies',
});

/** @param name of the contender's file */
export const sourceOf = (name: string): Promise<string> => sources[`./contenders/${name}.ts`]();

/** Lines with code: without those that are blank, or comments alone. */
export const linesOfCode = (source: string): number =>
  source.split('\n').filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;

/** Versions by package. */
export const versions = (): Promise<Readonly<Record<string, string>>> => packageFile['/package.json']();
