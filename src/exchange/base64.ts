/** Bytes that are turned into text at once: a call takes so many arguments. */
const AT_ONCE = 8192;

/** Bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += AT_ONCE)
    text += String.fromCodePoint(...bytes.subarray(i, i + AT_ONCE));
  return btoa(text);
}
