/** For tests: arrays in files, as NumPy and Python write them. */

/** As numpy.save writes it. */
export function npyOf(shape: readonly number[], data: Uint8Array, type = '|u1'): Uint8Array {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const header = `${`{'descr': '${type}', 'fortran_order': False, 'shape': (${sizes}), }`.padEnd(117)}\n`;
  return Uint8Array.from([
    ...[0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8],
    ...Buffer.from(header),
    ...data,
  ]);
}

/** A batch of two images of 3 x 8 x 8 with labels 1 and 0, as pickled by Python 2 (cPickle, protocol 2) or 3 (protocol 4). */
export function batchPickle(python: 2 | 3): Uint8Array {
  const data = Array.from({ length: 384 }, (_, i) => (i * 7919) % 251);
  const text = (word: string) =>
    python === 2 ? [0x55, word.length, ...Buffer.from(word)] : [0x8c, word.length, ...Buffer.from(word)];
  const blob = (content: readonly number[]) => [
    python === 2 ? 0x54 : 0x42,
    ...[content.length & 255, content.length >> 8, 0, 0],
    ...content,
  ];
  const name = (module: string, what: string) => [0x63, ...Buffer.from(`${module}\n${what}\n`)];
  const type = [
    ...name('numpy', 'dtype'),
    ...[...text('u1'), 0x4b, 0, 0x4b, 1, 0x87, 0x52],
    ...[0x28, 0x4b, 3, ...text('|'), 0x4e, 0x4e, 0x4e, 0x4b, 0, 0x74, 0x62],
  ];
  const array = [
    ...name('numpy.core.multiarray', '_reconstruct'),
    ...[...name('numpy', 'ndarray'), 0x4b, 0, 0x85, ...text('b'), 0x87, 0x52],
    ...[0x28, 0x4b, 1, 0x4b, 2, 0x4b, 192, 0x86, ...type, 0x89, ...blob(data), 0x74, 0x62],
  ];
  // Python 2 numbers what it keeps from 1 on.
  const kept = python === 2 ? [0x71, 1] : [0x94];
  return Uint8Array.from([
    ...[0x80, python === 2 ? 2 : 4, 0x7d, ...kept, 0x28],
    ...[...text('data'), ...array],
    ...[...text('labels'), 0x5d, 0x28, 0x4b, 1, 0x4b, 0, 0x65],
    ...[...text('label_names'), 0x5d, 0x28, ...text('cat'), ...text('dog'), 0x65],
    ...[0x75, 0x2e],
  ]);
}
