/** What goes: runs that the person deletes, and checkpoints and weights for which there is no room. */
import { Failure } from '../../base/result.ts';
import { isOver, UNDO_MS } from './run-index.ts';
import type { RunStore } from './store.ts';

export class RunTrash {
  /** @param store once its storage is open */
  constructor(private readonly store: RunStore) {}

  /** @throws Failure `busy` if one is open; then none is deleted */
  async delete(ids: readonly string[]): Promise<void> {
    const { index, tabs } = this.store;
    for (const id of ids) index.get(id);
    const open = await tabs.inTurn(() =>
      tabs.unlessOpen(ids, async () => {
        for (const id of ids) {
          await tabs.write({ ...index.get(id), deleted: Date.now() });
          tabs.release(id);
        }
      }),
    );
    if (open !== undefined) {
      const { name, live } = index.get(open);
      const where = live === 'here' ? 'open' : 'open in another tab';
      throw new Failure('busy', `${name} is ${where}.`, 'Start another run there, or close that tab.');
    }
    await tabs.tellGone(ids);
    setTimeout(() => void this.purge(), UNDO_MS + 1000);
  }

  async restore(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const found = this.store.index.find(id);
      if (found) await this.store.tabs.write({ ...found, deleted: undefined });
    }
  }

  /** Deletes the checkpoints of runs that are not open. Their weights stay. */
  async free(ids: readonly string[]): Promise<void> {
    const { index, tabs } = this.store;
    for (const id of ids) {
      index.get(id);
      await tabs.inTurn(() => tabs.unlessOpen([id], () => this.freeCheckpoint(id)));
    }
  }

  /** Frees the oldest runs while all together take more than the limit. Starred and open ones stay. */
  thin(): Promise<void> {
    const { index, tabs } = this.store;
    return tabs.inTurn(async () => {
      await tabs.look();
      const sum = () => index.all.reduce((bytes, one) => bytes + one.bytes, 0);
      const old = index.visible.filter(({ starred, live }) => !starred && live === null).slice(0, -1);
      for (const work of [this.freeCheckpoint, this.freeWeights]) {
        for (const { id } of old) if (sum() > this.store.limit) await tabs.unlessOpen([id], () => work(id));
      }
    });
  }

  /** Each write leaves what can be read if it is the last. */
  private readonly freeCheckpoint = async (id: string): Promise<void> => {
    const { checkpoint, weights: _, ...rest } = this.store.index.get(id);
    if (!checkpoint) return;
    const folder = await this.store.files.folder(id);
    const kept = await this.store.files.weights(id).catch(() => undefined);
    if (kept) await folder.writeWeights(kept.bytes);
    await this.store.tabs.write({ ...rest, weights: kept && { step: kept.step } });
    await folder.checkpoints.remove();
    await this.store.files.measure(id);
  };

  private readonly freeWeights = async (id: string): Promise<void> => {
    const { weights: _, ...rest } = this.store.index.get(id);
    await this.store.tabs.write(rest);
    await (await this.store.files.folder(id)).removeWeights();
    await this.store.files.measure(id);
  };

  /** Deletes for good what was deleted a while ago. */
  private purge(): Promise<void> {
    const { index, files, tabs } = this.store;
    return tabs.inTurn(async () => {
      for (const { id } of index.all.filter(isOver)) {
        await tabs.unlessOpen([id], async () => {
          // Another tab may have restored it.
          const record = index.find(id);
          if (!record || !isOver(record)) return;
          index.remove(id);
          await (await files.folder(id)).remove();
        });
      }
    });
  }
}
