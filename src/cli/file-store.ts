import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../base/result.ts';
import { pathParts, type FileStore } from '../storage/file-store.ts';

const TEMPORARY_SUFFIX = '.tmp';

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

/** The system's refusals, such as a full disk or a missing permission, as failures. */
const refused = (error: unknown): Failure =>
  new Failure('storage', error instanceof Error ? error.message : String(error), undefined, { cause: error });

/** A folder on disk as a file store. */
export class FolderFileStore implements FileStore {
  constructor(private readonly folder: string) {}

  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return Uint8Array.from(await readFile(this.resolve(name)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw refused(error);
    }
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const target = this.resolve(name);
    const temporary = `${target}.${randomUUID()}${TEMPORARY_SUFFIX}`;
    try {
      await mkdir(path.dirname(target), { recursive: true });
      const file = await open(temporary, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw refused(error);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await rm(this.resolve(name), { recursive: true, force: true });
    } catch (error) {
      throw refused(error);
    }
  }

  async list(name: string): Promise<string[]> {
    try {
      const entries = await readdir(this.resolve(name), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(TEMPORARY_SUFFIX))
        .map((entry) =>
          path.relative(this.folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
        )
        .sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw refused(error);
    }
  }

  private resolve(name: string): string {
    return path.join(this.folder, ...pathParts(name));
  }
}
