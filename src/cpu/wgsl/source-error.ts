/** A mistake in WGSL source, or something in it that this compiler does not support. */
export class SourceError extends Error {
  constructor(
    /** From 1. */
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}
