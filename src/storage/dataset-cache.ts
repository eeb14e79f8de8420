/**
 * Data sets saved in a file store: their files, and a manifest, written last, with sizes and checksums. Every file is
 * checked against it when read, so an incomplete or altered set counts as missing. The set of the user's own images is
 * saved with its description.
 */
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import type { DatasetInfo, FileRole } from '../data/dataset.ts';
import { sha256 } from '../data/files.ts';
import { EMPTY_OWN } from '../data/own/info.ts';
import type { OwnDataset } from '../data/own/make.ts';
import type { FileStore } from './file-store.ts';

const VERSION = 1;

interface Manifest {
  version: typeof VERSION;
  files: Partial<Record<FileRole, { bytes: number; sha256: string }>>;
}

const folderOf = (info: DatasetInfo): string => `datasets/${info.name}`;
const manifestOf = (info: DatasetInfo): string => `${folderOf(info)}/manifest.json`;
const fileOf = (info: DatasetInfo, role: FileRole): string => `${folderOf(info)}/${role}`;

/** Saves the files unchanged, replacing those saved before. */
export async function saveDataset(
  store: FileStore,
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
): Promise<void> {
  await deleteDataset(store, info);
  try {
    const entries: [FileRole, { bytes: number; sha256: string }][] = [];
    for (const [role, bytes] of files) {
      await store.write(fileOf(info, role), bytes);
      entries.push([role, { bytes: bytes.length, sha256: await sha256(bytes) }]);
    }
    const manifest = { version: VERSION, files: Object.fromEntries(entries) };
    await store.write(manifestOf(info), new TextEncoder().encode(JSON.stringify(manifest)));
  } catch (error) {
    // An incomplete data set would only take space.
    await deleteDataset(store, info).catch(() => undefined);
    throw error;
  }
}

/** The saved files, or undefined if there are none or any byte changed; altered files are deleted. */
export async function savedDataset(
  store: FileStore,
  info: DatasetInfo,
): Promise<Map<FileRole, Uint8Array> | undefined> {
  const manifest = await readManifest(store, info);
  const files = new Map<FileRole, Uint8Array>();
  for (const { role } of info.files) {
    const entry = manifest?.files[role];
    const bytes = entry && (await store.read(fileOf(info, role)));
    if (bytes === undefined || bytes.length !== entry?.bytes || (await sha256(bytes)) !== entry.sha256) {
      await deleteDataset(store, info);
      return undefined;
    }
    files.set(role, bytes);
  }
  return files;
}

/** True if the data set was saved completely. Does not read its files. */
export const isDatasetSaved = async (store: FileStore, info: DatasetInfo): Promise<boolean> =>
  (await readManifest(store, info)) !== undefined;

/** The size of its saved files; 0 if none are saved. Does not read them. */
export async function savedBytes(store: FileStore, info: DatasetInfo): Promise<number> {
  const manifest = await readManifest(store, info);
  return Object.values(manifest?.files ?? {}).reduce((sum, { bytes }) => sum + bytes, 0);
}

export const deleteDataset = (store: FileStore, info: DatasetInfo): Promise<void> =>
  store.remove(folderOf(info));

/** The manifest, or undefined if this version did not write one. */
async function readManifest(store: FileStore, info: DatasetInfo): Promise<Manifest | undefined> {
  const bytes = await store.read(manifestOf(info));
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isManifest(info, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(info: DatasetInfo, value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { version, files } = value as { version?: unknown; files?: unknown };
  if (version !== VERSION || typeof files !== 'object' || files === null) return false;
  return info.files.every(({ role }) => {
    const entry: unknown = Object.hasOwn(files, role) ? (files as Record<string, unknown>)[role] : undefined;
    if (typeof entry !== 'object' || entry === null) return false;
    const { bytes, sha256: digest } = entry as { bytes?: unknown; sha256?: unknown };
    return Number.isSafeInteger(bytes) && typeof digest === 'string';
  });
}

const OWN_INFO = `datasets/${EMPTY_OWN.name}/info.json`;

/** Saves the set, replacing the one before. @throws Failure `storage` */
export async function saveOwn(
  store: FileStore,
  { info, files }: Pick<OwnDataset, 'info' | 'files'>,
): Promise<void> {
  await saveDataset(store, info, files);
  try {
    await store.write(OWN_INFO, new TextEncoder().encode(JSON.stringify(info)));
  } catch (error) {
    await deleteDataset(store, info).catch(() => undefined);
    throw error;
  }
}

/** The saved set's description; undefined if this version did not write one. Does not read the images. */
export async function savedOwnInfo(store: FileStore): Promise<DatasetInfo | undefined> {
  const bytes = await store.read(OWN_INFO);
  if (bytes === undefined || !(await isDatasetSaved(store, EMPTY_OWN))) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isOwnInfo(value)) return undefined;
    // Kinds of augmentation that were added since are off.
    return { ...value, augmentation: { ...NO_AUGMENTATION, ...value.augmentation } };
  } catch {
    return undefined;
  }
}

/** True if every field is present and has the right type. */
function isOwnInfo(value: unknown): value is DatasetInfo {
  if (typeof value !== 'object' || value === null) return false;
  const { classes, shape, mean, std, counts, files, augmentation, ...texts } = value as Record<
    string,
    unknown
  >;
  const numbers = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((one) => typeof one === 'number');
  const holds = (thing: unknown, keys: readonly string[]) =>
    typeof thing === 'object' &&
    thing !== null &&
    keys.every((key) => typeof (thing as Record<string, unknown>)[key] === 'number');
  return (
    [shape, mean, std].every(numbers) &&
    Array.isArray(classes) &&
    classes.every((one) => typeof one === 'string') &&
    holds(counts, ['train', 'test']) &&
    holds(augmentation, Object.keys(augmentation ?? {})) &&
    Array.isArray(files) &&
    files.length === 2 &&
    texts['name'] === EMPTY_OWN.name &&
    ['title', 'description', 'licence'].every((key) => typeof texts[key] === 'string') &&
    [undefined, 'dark', 'light'].includes(texts['ground'] as string | undefined) &&
    texts['shipped'] === false &&
    Array.isArray(texts['mirrors'])
  );
}
