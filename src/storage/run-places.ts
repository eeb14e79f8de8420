/**
 * A folder in the origin private file system for each saved run. It belongs to the tab that holds its lock, so tabs
 * that train at the same time neither overwrite each other's run nor resume the same one. A closed tab holds no lock.
 * https://w3c.github.io/web-locks
 */
import { CheckpointSlots } from './checkpoint-slots.ts';
import { privateFolder, refused } from './opfs.ts';

const LOCK = 'wgrad-run:';

export interface RunPlace {
  id: string;
  slots: CheckpointSlots;
}

export class RunPlaces {
  /** For the places that belong to this tab, by id: releases the lock. */
  private readonly own = new Map<string, () => void>();

  /** @param folder used only for the places; see `openRunPlaces` */
  constructor(
    private readonly folder: FileSystemDirectoryHandle,
    private readonly locks: Pick<LockManager, 'request' | 'query'>,
  ) {}

  /** The places that no other tab has. */
  async free(): Promise<RunPlace[]> {
    try {
      const { held = [] } = await this.locks.query();
      const places: RunPlace[] = [];
      for await (const [id, handle] of this.folder.entries()) {
        const others = !this.own.has(id) && held.some(({ name }) => name === LOCK + id);
        if (handle.kind === 'directory' && !others)
          places.push({ id, slots: new CheckpointSlots(handle as FileSystemDirectoryHandle) });
      }
      return places;
    } catch (error) {
      throw refused('read saved runs', error);
    }
  }

  /** Acquires a run's place for this tab, and creates it if necessary. Undefined if another tab has it. */
  async take(id: string): Promise<CheckpointSlots | undefined> {
    try {
      if (!(await this.hold(id))) return undefined;
      return new CheckpointSlots(await this.folder.getDirectoryHandle(id, { create: true }));
    } catch (error) {
      throw refused('save the run', error);
    }
  }

  /** Deletes a place with its content, unless it belongs to another tab. */
  async remove(id: string): Promise<void> {
    try {
      if (!(await this.hold(id))) return;
      await this.folder.removeEntry(id, { recursive: true });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'NotFoundError'))
        throw refused('delete the run', error);
    } finally {
      this.own.get(id)?.();
      this.own.delete(id);
    }
  }

  /** Acquires a place's lock; false if another tab holds it. */
  private hold(id: string): Promise<boolean> {
    if (this.own.has(id)) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const until = (lock: Lock | null) => {
        if (!lock) {
          resolve(false);
          return undefined;
        }
        return new Promise<void>((release) => {
          this.own.set(id, release);
          resolve(true);
        });
      };
      this.locks.request(LOCK + id, { ifAvailable: true }, until).catch(reject);
    });
  }
}

/**
 * Opens the browser's place for runs, in a worker.
 * @throws Failure `storage` if there is none, as in some private windows
 */
export async function openRunPlaces(): Promise<RunPlaces> {
  try {
    if (!('locks' in navigator)) throw new Error('this page was not loaded over HTTPS');
    return new RunPlaces(await privateFolder('wgrad-runs'), navigator.locks);
  } catch (error) {
    throw refused('save runs', error);
  }
}
