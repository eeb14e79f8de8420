/** Whether a network has seen images like one before: types only. */
declare module '../api.ts' {
  interface Parts {
    familiar: { calls: FamiliarApi; events: never };
  }
}

export interface Familiarity {
  /** Steps that the network was trained for. */
  step: number;
  /** How far the image is from those that the network was trained on, 1 for the limit of what is familiar. */
  strangeness: number;
}

export interface FamiliarApi {
  /** Of an image of 28 x 28 bytes to the network that comes with the page. */
  toTrained(image: Uint8Array): Familiarity;
  /**
   * Of an image of C x H x W bytes to the run's network; as of an earlier step while it trains at a limited pace. Undefined
   * while it trains at full speed, which nothing is to slow down, and before its first step.
   */
  toRun(image: Uint8Array): Familiarity | undefined;
}
