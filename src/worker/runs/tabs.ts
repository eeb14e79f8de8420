/** This tab and the others: which runs are open where, and what tabs tell each other. */
import { Failure, unlessFailure } from '../../base/result.ts';
import { Turns } from '../../base/turns.ts';
import type { RunAbout, StoredRun } from '../api.ts';
import { readRecord, type RunFiles } from './files.ts';
import type { RunIndex } from './run-index.ts';
import type { RunStorage } from './storage.ts';

/** How often tabs look which runs are open elsewhere. */
const LOOK_EVERY_MS = 2000;

type Message =
  | { written: string }
  | { gone: string[] }
  /** To the tab in which the run is open. */
  | { change: string; about: RunAbout };

export class RunTabs {
  /** Runs that train here, or are about to: nothing but their training changes their files. */
  private readonly open = new Set<string>();
  /** Called when the person changes a run that is open here. */
  private readonly recording = new Map<string, (about: RunAbout) => void>();
  private readonly turns = new Turns();

  constructor(
    private readonly storage: () => Promise<RunStorage>,
    private readonly index: RunIndex,
    private readonly files: RunFiles,
  ) {}

  /** Hears what other tabs tell from now on. */
  listen({ channel }: RunStorage): void {
    channel.addEventListener('message', (event) => void this.hear((event as MessageEvent<Message>).data));
  }

  /** Looks from now on which runs are open elsewhere. */
  watch(): void {
    setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  /** Acquires a run for this tab; false if another tab has it open. */
  async hold(id: string): Promise<boolean> {
    const { locks } = await this.storage();
    const held = await locks.hold(id);
    this.index.update(id, { live: held ? 'here' : 'elsewhere' });
    return held;
  }

  release(id: string): void {
    void this.storage().then(({ locks }) => locks.release(id));
    this.open.delete(id);
    this.recording.delete(id);
    this.index.update(id, { live: null });
  }

  /**
   * Opens a run in this tab.
   * @param read what it resumes from; if that fails, the run is not open
   * @throws Failure `not-found` if another tab has it
   */
  async take<T>(id: string, read: () => Promise<T>): Promise<T> {
    if (!(await this.hold(id)))
      throw new Failure(
        'not-found',
        'This run is active in another tab.',
        'Switch to that tab, or select Train to start a new run.',
      );
    if (this.open.has(id)) return read();
    try {
      // Another tab may just have deleted it.
      await this.takeOver(id);
      this.index.get(id);
      const found = await read();
      this.open.add(id);
      return found;
    } catch (error) {
      this.release(id);
      throw error;
    }
  }

  /** @param onChange receives what the person changes meanwhile, in this or another tab */
  async record(record: StoredRun, onChange: (about: RunAbout) => void): Promise<void> {
    const { id } = record;
    this.open.add(id);
    this.recording.set(id, onChange);
    this.index.put({ ...record, bytes: this.index.find(id)?.bytes ?? 0, live: 'here' });
    await this.hold(id);
  }

  /** Writes a run's record, and tells the other tabs. */
  async write(record: StoredRun): Promise<void> {
    await this.files.write(record);
    await this.tell({ written: record.id });
  }

  /** What the person changes of a run: the tab in which it is open does it. */
  async change(id: string, about: RunAbout): Promise<void> {
    await this.storage();
    // Other changes may have come meanwhile.
    const write = () => this.write({ ...this.index.get(id), ...about });
    this.index.get(id);
    if (this.open.has(id)) {
      this.recording.get(id)?.(about);
      return write();
    }
    const open = await this.inTurn(() => this.unlessOpen([id], write));
    if (open !== undefined) await this.tell({ change: id, about });
  }

  async tellGone(ids: readonly string[]): Promise<void> {
    await this.tell({ gone: [...ids] });
    this.index.sendGone(ids);
  }

  /** Files of runs that are not open are changed one at a time: what is checked before a change holds until it is made. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.turns.take(work);
  }

  /**
   * Works on runs, whose locks it holds meanwhile. Does nothing if one of them is open, here or in another tab, and returns
   * its id.
   */
  async unlessOpen(ids: readonly string[], work: () => Promise<void>): Promise<string | undefined> {
    const { locks } = await this.storage();
    const acquired: string[] = [];
    try {
      for (const id of ids) {
        if (this.open.has(id)) return id;
        if (locks.isHere(id)) continue;
        if (!(await this.hold(id))) return id;
        acquired.push(id);
        await this.takeOver(id);
      }
      await work();
      return undefined;
    } finally {
      for (const id of acquired) this.release(id);
    }
  }

  /** Finds out which runs are open elsewhere. */
  async look(): Promise<void> {
    const { locks } = await this.storage();
    const elsewhere = await locks.elsewhere();
    for (const { id, live } of this.index.all) {
      const now = locks.isHere(id) ? 'here' : elsewhere.has(id) ? 'elsewhere' : null;
      if (now === live) continue;
      this.index.update(id, { live: now });
      // A tab that was closed leaves a run that trained.
      if (live === 'elsewhere') await this.reread(id);
    }
  }

  private async hear(message: Message): Promise<void> {
    if ('written' in message) await this.reread(message.written);
    else if ('gone' in message) {
      for (const id of message.gone) this.index.update(id, { deleted: Date.now() });
      this.index.sendGone(message.gone);
    } else if (this.recording.has(message.change)) await this.change(message.change, message.about);
  }

  private async tell(message: Message): Promise<void> {
    const { channel } = await this.storage();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin
    channel.postMessage(message);
  }

  /** Shows what another tab has written. */
  private async reread(id: string): Promise<void> {
    const { locks } = await this.storage();
    if (locks.isHere(id)) return;
    const live = (await locks.elsewhere()).has(id) ? 'elsewhere' : null;
    const found = await readRecord(await this.files.folder(id), live).catch(unlessFailure);
    // It may be open here by now.
    if (found && !locks.isHere(id)) this.index.put(found);
  }

  /** What another tab has left of a run whose lock was just acquired. */
  private async takeOver(id: string): Promise<void> {
    await this.files.written();
    const found = await readRecord(await this.files.folder(id), null).catch(unlessFailure);
    if (found) this.index.put({ ...found, live: 'here' });
  }
}
