/** What a message of protobuf takes in memory, found before it is decoded: two bytes of a file may stand for an object. */
import { ScalarType, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

const MESSAGE_BYTES = 256;
/** A string, an array of bytes, or a whole number in a list. */
const VALUE_BYTES = 40;
/** By which numbers end in a list without tags. */
const LAST_OF_VARINT = 0x80;
const FIXED: ReadonlySet<ScalarType | undefined> = new Set([ScalarType.FLOAT, ScalarType.DOUBLE]);

/**
 * @param take is called with the bytes of each part
 * @throws Error where the library would, too: the bytes are no such message
 */
export function countMemory(schema: DescMessage, bytes: Uint8Array, take: (bytes: number) => void): void {
  const reader = new BinaryReader(bytes);
  take(MESSAGE_BYTES);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type !== WireType.LengthDelimited) {
      reader.skip(type, number);
      take(VALUE_BYTES);
      continue;
    }
    const inner = reader.bytes();
    const field = schema.fields.find((one) => one.number === number);
    if (field?.message) countMemory(field.message, inner, take);
    else take(VALUE_BYTES + valuesIn(field, inner));
  }
}

/** Of numbers in a list, which follow one another without tags. Texts and bytes are views of the file. */
function valuesIn(field: DescField | undefined, bytes: Uint8Array): number {
  if (field?.fieldKind !== 'list' || field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES)
    return 0;
  if (FIXED.has(field.scalar)) return 2 * bytes.length;
  return VALUE_BYTES * bytes.reduce((count, byte) => count + (byte < LAST_OF_VARINT ? 1 : 0), 0);
}
