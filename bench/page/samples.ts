/** A place on the page. */
export type Box = Record<'x' | 'y' | 'width' | 'height', number>;

/** What rounds measured: samples by what they are of. */
export type Samples = Map<string, { unit: string; values: number[] }>;

/** Adds samples to those of earlier rounds, and says so: rounds take minutes. */
export function add(samples: Samples, what: string, unit: string, ...values: number[]): void {
  console.error(`${what}: ${values.map((value) => value.toPrecision(4)).join(', ')} ${unit}`);
  const before = samples.get(what)?.values ?? [];
  samples.set(what, { unit, values: [...before, ...values] });
}
