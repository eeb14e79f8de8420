/** Throws when `condition` is false: a broken contract between two pieces of code, never a user's error. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`wgrad bug: ${message}`);
}
