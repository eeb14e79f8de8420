/** Bytes that are turned into text at once: a call takes so many arguments. */
const AT_ONCE = 8192;

/** Bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += AT_ONCE)
    text += String.fromCodePoint(...bytes.subarray(i, i + AT_ONCE));
  return btoa(text);
}

/** The bytes of a text in base64; undefined if it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[a-z\d+/]*={0,2}$/i.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
