/** Throws when `condition` is false: a broken contract between two pieces of code, never a user's error. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`wgrad bug: ${message}`);
}

/** Marks a branch that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`wgrad bug: unexpected value ${String(value)}`);
}
