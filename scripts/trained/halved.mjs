/**
 * A safetensors file of F32 tensors with F16 in their place, and more metadata. See src/data/formats/safetensors.ts.
 * @param {Buffer} bytes @param {Record<string, string>} metadata @param {(value: number) => number} toHalf of src/base/half.ts
 */
export function halved(bytes, metadata, toHalf) {
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString());
  delete header['__metadata__'].test_accuracy;
  Object.assign(header['__metadata__'], metadata);
  for (const [key, entry] of Object.entries(header)) {
    if (key === '__metadata__') continue;
    entry.dtype = 'F16';
    entry.data_offsets = entry.data_offsets.map((offset) => offset / 2);
  }
  const data = bytes.subarray(8 + length);
  const floats = new Float32Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  const halves = Buffer.alloc(floats.length * 2);
  floats.forEach((value, i) => halves.writeUInt16LE(toHalf(value), 2 * i));
  const text = JSON.stringify(header);
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([start, padded, halves]);
}
