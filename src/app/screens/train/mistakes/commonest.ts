export interface Mistake {
  truth: number;
  answer: number;
  count: number;
}

/** The `most` commonest mistakes of a confusion matrix (size x size, row is the truth), commonest first. */
export function commonest(counts: Uint32Array, size: number, most: number): Mistake[] {
  return Array.from(counts, (count, at) => ({ truth: Math.floor(at / size), answer: at % size, count }))
    .filter(({ truth, answer, count }) => truth !== answer && count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, most);
}
