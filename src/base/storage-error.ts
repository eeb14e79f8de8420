/** What to do where storage is full. */
export const WHEN_FULL =
  'Remove data sets (Train, Data, "Browser storage") or runs that you no longer need, or free up disk space.';

export const isFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError';

/** Why the browser's storage refused, for people: its errors may have no message. */
export function storageReason(error: unknown): string {
  if (isFull(error)) return 'it is full';
  if (!(error instanceof Error)) return error ? String(error) : 'the browser gives no reason';
  return error.message || error.name;
}
