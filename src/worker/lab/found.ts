/** What searches found in this browser: read when it is first asked for, kept after every search. */
import { Failure } from '../../base/result.ts';
import { FindDb, placeOf, type Known } from '../../engine/ops/conv/choice/db.ts';
import type { Found } from '../../engine/ops/conv/choice/types.ts';
import type { Device } from '../../gpu/device.ts';

/** Where the text of the find-db is kept. Refusals are `storage` failures. */
export interface FoundStore {
  read(): Promise<string | undefined>;
  /** Other pages of this browser write there, too: `change` gets what is there now. */
  update(change: (text: string | undefined) => string): Promise<void>;
}

export class FoundKeeper {
  private readonly db = new FindDb();
  private loading: Promise<void> | undefined;

  /** @param runtime the browser, with its version */
  constructor(
    private readonly store: FoundStore,
    private readonly runtime: string,
  ) {}

  /** What is known on a device; `load` comes first. */
  knownOn(device: Device): Known {
    return this.db.at(placeOf(device, this.runtime));
  }

  /** Settles when what was kept is there. What cannot be read counts as nothing: it can be measured again. */
  load(): Promise<void> {
    this.loading ??= this.read();
    return this.loading;
  }

  /** Keeps what was found; where the browser refuses, until the page is closed. */
  async record(device: Device, found: Found): Promise<void> {
    await this.load();
    this.db.record(placeOf(device, this.runtime), found);
    await this.save();
  }

  async export(): Promise<string> {
    await this.load();
    return this.db.toText();
  }

  /** Answers how many entries the file has. @throws Failure `bad-file` */
  async import(name: string, text: string): Promise<number> {
    const { entries } = FindDb.parse(name, text);
    await this.load();
    this.db.merge(entries);
    await this.save();
    return entries.length;
  }

  async forget(device: Device): Promise<void> {
    await this.load();
    const place = placeOf(device, this.runtime);
    await this.save((db) => db.forget(place));
  }

  private async read(): Promise<void> {
    try {
      this.take(await this.store.read());
    } catch (error) {
      tellOf(error, 'what was found before cannot be read');
    }
  }

  /** @param last what is done to everything, other pages' findings included, before it is written */
  private async save(last: (db: FindDb) => void = () => undefined): Promise<void> {
    last(this.db);
    try {
      await this.store.update((text) => {
        this.take(text);
        last(this.db);
        return this.db.toText();
      });
    } catch (error) {
      tellOf(error, 'what was found is kept only until the page is closed');
    }
  }

  private take(text: string | undefined): void {
    if (text === undefined) return;
    try {
      this.db.merge(FindDb.parse('find-db', text).entries);
    } catch (error) {
      tellOf(error, 'what was found before cannot be read');
    }
  }
}

/** A page that forgets is better than one that does not measure. */
function tellOf(error: unknown, what: string): void {
  if (!(error instanceof Failure)) throw error;
  console.warn(`wgrad: ${what}: ${error.message}`);
}
