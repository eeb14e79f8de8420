/** What a watched kernel reports to the host, at the start of its memory. */

/** Offsets of its words. */
export const REPORT = {
  /** The place of a race in the source, and one; 0 for none. */
  race: 0,
  /** How many rounds its loops may still do. */
  rounds: 4,
  /** The place of the loop that did the last of them, and one; 0 for none. */
  endless: 8,
} as const;

export const REPORT_BYTES = 16;
