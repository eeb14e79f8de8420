/** The sizes that own images are resized to: those that the built-in models are made for. */
export const OWN_SIZES = { colour: [3, 32, 32], grey: [1, 28, 28] } as const;
