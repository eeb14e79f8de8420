/** float16 (IEEE 754 binary16), for which not all JavaScript engines have arrays yet. */

/** The number with these 16 bits. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** The nearest float16 of a number, ties to even; above 65504, Infinity. */
export function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  // Half of the last place above the largest number.
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  // Rounding up to the next power of two carries into the exponent by itself, and so does an inexact logarithm.
  const steps = roundToEven(size * 2 ** (10 - exponent));
  return sign | (exponent === -14 ? steps : ((exponent + 14) << 10) + steps);
}

function roundToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
}

const word = new DataView(new ArrayBuffer(4));

/** The value of a bfloat16: the upper half of a float32. */
export function fromBfloat(bits: number): number {
  word.setUint32(0, bits << 16);
  return word.getFloat32(0);
}
