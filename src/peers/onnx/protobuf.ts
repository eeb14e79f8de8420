/** The least of protocol buffers that writing takes (https://protobuf.dev/programming-guides/encoding). */

/** A message's fields by number, each once or as a list: whole numbers, text, bytes, and messages that are encoded already. */
export type Fields = Readonly<Record<number, Value | readonly Value[]>>;
type Value = number | string | Uint8Array;

const [VARINT, BYTES] = [0, 2];

export function encode(fields: Fields): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  for (const [number, values] of Object.entries(fields)) {
    for (const value of Array.isArray(values) ? (values as readonly Value[]) : [values as Value]) {
      const tag = (type: number) => varint(Number(number) * 8 + type);
      if (typeof value === 'number') {
        parts.push(tag(VARINT), varint(value));
      } else {
        const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
        parts.push(tag(BYTES), varint(bytes.length), bytes);
      }
    }
  }
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Seven bits a byte, the lowest first; all but the last byte have the eighth bit. @param value not negative */
function varint(value: number): Uint8Array {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Uint8Array.of(...bytes, value);
}
