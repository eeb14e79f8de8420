/** The version of wgrad, as in package.json: two that differ may compute other bits. */
export const VERSION = '0.1.0';
