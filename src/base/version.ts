/** The version of wgrad, as in package.json: two that differ may compute other bits. */
export const VERSION = '1.0.0';
