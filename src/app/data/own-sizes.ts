/** The sizes that own images are resized to: those that the built-in models are made for. */
export const OWN_SIZES = {
  colour: { label: '32 × 32, colour', shape: [3, 32, 32] },
  grey: { label: '28 × 28, grey', shape: [1, 28, 28] },
} as const;
