/** Round numbers from zero to at most `most`: as many as come near `count`. */
export function niceTicks(most: number, count: number): number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10);
  // Multiples of a decimal fraction are not exact.
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) =>
    Number((i * step).toPrecision(12)),
  );
}
