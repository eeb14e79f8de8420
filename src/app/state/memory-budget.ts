/** How much memory a run can probably have here, as far as browsers say anything about that. */

export interface MemoryClues {
  /** `navigator.deviceMemory`: GiB of the machine's memory, rounded, and no more than 8 in many browsers; absent in others. */
  deviceMemory: number | undefined;
  /** Whether fingers are the main way to point, as on phones and tablets. */
  touch: boolean;
  /** The adapter's largest buffer. */
  maxBufferSize: number;
}

/** What `deviceMemory` says of every machine with much. */
const MUCH = 8;
/** Of a small machine's memory, which its GPU shares with everything else. */
const SHARE = 0.5;

/**
 * Bytes beyond which a run may be ended by the system, on machines with little memory; undefined where nothing suggests
 * little. Phones that do not say how much they have should at least be up to one buffer of the largest size.
 */
export function memoryBudget({ deviceMemory, touch, maxBufferSize }: MemoryClues): number | undefined {
  if (deviceMemory !== undefined) {
    return deviceMemory < MUCH ? SHARE * deviceMemory * 2 ** 30 : undefined;
  }
  return touch ? maxBufferSize : undefined;
}

/** Of this browser. @param limits the adapter's */
export const budgetHere = (limits: Readonly<Record<string, number>>): number | undefined =>
  memoryBudget({
    deviceMemory: (navigator as Navigator & { deviceMemory?: number }).deviceMemory,
    touch: matchMedia('(pointer: coarse)').matches,
    maxBufferSize: limits.maxBufferSize ?? Infinity,
  });
