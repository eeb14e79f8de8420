/** The format and size of a picture file, from its first bytes, without decoding it. */
import { ByteReader } from '../../base/bytes.ts';

export interface PictureHeader {
  kind: 'PNG' | 'JPEG';
  /** Pixels, as stored: before the rotation that the file specifies. */
  width: number;
  height: number;
  /** Exif's orientation, 1 to 8; 1 is as stored. */
  orientation: number;
  /** Bytes of all its values, as stored: colours of a JPEG often have fewer than brightness. */
  samples: number;
}

/** By a PNG's colour type: grey, colours, a palette, and the first two with opacity. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * The header of a PNG (https://www.w3.org/TR/png-3/) or JPEG file (ITU T.81, B.1 and B.2); undefined for other files.
 * @throws Failure `bad-file` if it ends or is invalid before its size
 */
export function pictureHeader(name: string, bytes: Uint8Array): PictureHeader | undefined {
  const file = new ByteReader(name, bytes);
  if (PNG.every((byte, i) => bytes[i] === byte)) {
    file.take(PNG.length + 4, 'the signature');
    if (file.u32be('the first chunk') !== 0x49484452) throw file.bad('expected a PNG to start with IHDR', 12);
    const [width, height] = [file.u32be('the width'), file.u32be('the height')];
    const samples = width * height * (CHANNELS[bytes[25]] ?? 1) * (bytes[24] > 8 ? 2 : 1);
    return { kind: 'PNG', width, height, orientation: 1, samples };
  }
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return undefined;
  file.take(2, 'the signature');
  let orientation = 1;
  for (;;) {
    const at = file.offset;
    if (file.u8('a marker') !== 0xff) throw file.bad('expected a marker of a JPEG', at);
    let marker = file.u8('a marker');
    while (marker === 0xff) marker = file.u8('a marker');
    // Restart markers and some others have no length.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    if (marker === 0xd9 || marker === 0xda)
      throw file.bad('expected the size of a JPEG before its image', at);
    const length = 256 * file.u8('a length') + file.u8('a length');
    if (length < 2) throw file.bad(`expected a length of at least 2, found ${length}`, at + 2);
    const segment = file.take(length - 2, 'a segment');
    if (marker === 0xe1) orientation = exifOrientation(segment) ?? orientation;
    // Start of frame, of any coding; c4, c8 and cc have other meanings.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (segment.length < 5) throw file.bad('expected a frame of a JPEG to have a size', at);
      const [, high, low, wide, narrow, count = 1] = segment;
      const [height, width] = [256 * high + low, 256 * wide + narrow];
      // Each component has its name, its share of both sides as four bits each, and a table.
      const shares = Array.from({ length: count }, (_, i) => segment[7 + 3 * i] || 0x11);
      const [across, down] = [shares.map((share) => share >> 4), shares.map((share) => share & 15)];
      const most = Math.max(1, ...across) * Math.max(1, ...down);
      const share = across.reduce((sum, columns, i) => sum + (columns * down[i]) / most, 0);
      return { kind: 'JPEG', height, width, orientation, samples: width * height * share };
    }
  }
}

const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION = 0x0112;

/**
 * The orientation in an Exif segment (CIPA DC-008, 4.5 and 4.6); undefined if it has none or is damaged, which only
 * affects rotation.
 */
function exifOrientation(segment: Uint8Array): number | undefined {
  if (!EXIF.every((byte, i) => segment[i] === byte) || segment.length < 14) return undefined;
  const tiff = new DataView(segment.buffer, segment.byteOffset + 6, segment.length - 6);
  const little = tiff.getUint16(0) === 0x4949;
  const first = tiff.getUint32(4, little);
  if (first + 2 > tiff.byteLength) return undefined;
  const count = tiff.getUint16(first, little);
  for (let at = first + 2; at + 12 <= Math.min(tiff.byteLength, first + 2 + 12 * count); at += 12) {
    if (tiff.getUint16(at, little) !== ORIENTATION) continue;
    const value = tiff.getUint16(at + 8, little);
    return value >= 1 && value <= 8 ? value : undefined;
  }
  return undefined;
}
