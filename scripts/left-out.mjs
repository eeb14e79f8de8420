/**
 * Whether tests act as if this were not installed: WGRAD_WITHOUT lists it, or a part of its name, as in "firefox,torch".
 *
 * @param {string} name
 */
export const isLeftOut = (name) =>
  (process.env.WGRAD_WITHOUT?.match(/[^,\s]+/g) ?? []).some((part) => name.includes(part));
