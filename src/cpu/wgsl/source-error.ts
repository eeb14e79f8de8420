/** A mistake in WGSL source, or something in it that this compiler does not support. */
export class SourceError extends Error {
  constructor(
    /** Where in the source: an index of its characters. */
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

/** The line and the column of an index into a text, both from 1. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: before[before.length - 1].length + 1 };
}
