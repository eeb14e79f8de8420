/** Pictures and labels in Parquet, as the datasets library of Hugging Face writes them. */
import { Failure } from '../../base/result.ts';
import { parsePlainJson } from '../../base/plain-json.ts';
import { readParquet, type ParquetColumn, type ParquetFile, type ParquetValues } from '../formats/parquet.ts';
import type { ArrayFile, ArrayLabels } from './images.ts';
import type { OwnFile } from './open.ts';
import { isLabelName } from './splits.ts';

/** @throws Failure `bad-file` if it is damaged or has no column of pictures, `unsupported` for packings that are not read */
export async function ofParquet(path: string, bytes: Uint8Array): Promise<ArrayFile> {
  const file = readParquet(path, bytes);
  const content = file.columns.find((one) => one.kind === 'bytes' && one.path.at(-1) === 'bytes');
  if (!content)
    throw new Failure(
      'bad-file',
      `${path}: expected a column of pictures with their bytes, found ${
        file.columns
          .map((one) => one.path.join('.'))
          .join(', ')
          .slice(0, 300) || 'none'
      }`,
    );
  const files = await content.read();
  const named = classNamesOf(file);
  const isLabel = ({ path: [name, ...inner], kind }: ParquetColumn) =>
    inner.length === 0 && kind !== 'other' && (named.size > 0 ? named.has(name) : isLabelName(name));
  const labels: ArrayLabels[] = [];
  for (const column of file.columns.filter(isLabel)) {
    const [name] = column.path;
    const values = valuesOf(await column.read());
    const names = named.get(name);
    // Test sets whose labels are kept secret have -1.
    if (values?.some((value) => value !== -1)) labels.push({ name, values, ...(names ? { names } : {}) });
  }
  const at = (i: number): OwnFile => pictureOf(`${path} ${i}`, files[i]);
  return { path, images: { count: file.rows, at }, labels, names: new Map() };
}

function pictureOf(path: string, bytes: ParquetValues[number]): OwnFile {
  const content = bytes instanceof Uint8Array ? bytes : undefined;
  return {
    path,
    bytes: content?.length ?? 0,
    async read(most) {
      if (!content) throw new Failure('bad-file', 'has no bytes: only its address is in the file');
      return content.subarray(0, most);
    },
  };
}

/** Numbers, or texts; undefined if one is missing. */
function valuesOf(values: ParquetValues): readonly number[] | readonly string[] | undefined {
  if (values.every((value) => typeof value === 'number')) return values;
  const texts = values.map((value) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

/** The names of classes by the column of their numbers, as the library notes them; none in other files. */
function classNamesOf({ metadata }: ParquetFile): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  let noted: unknown;
  try {
    noted = parsePlainJson(metadata.get('huggingface') ?? '{}');
  } catch {
    return found;
  }
  const fields = (value: unknown) => Object.entries(typeof value === 'object' && value !== null ? value : {});
  const inside = (value: unknown, key: string): unknown => fields(value).find(([name]) => name === key)?.[1];
  for (const [column, feature] of fields(inside(inside(noted, 'info'), 'features'))) {
    const names = inside(feature, 'names');
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) found.set(column, names);
  }
  return found;
}
