/** The stored tuning results: in the browser, or in a file of the command line. */
import { lazily } from '../../../../base/lazily.ts';
import { Failure } from '../../../../base/result.ts';
import type { Device } from '../../../../gpu/device.ts';
import { fetchShaders } from '../../../../gpu/sources.ts';
import { setPace, type Pace } from '../../../cost.ts';
import { FindDb, environmentOf, platformOf, type KnownChoices, type TuningEnvironment } from './db.ts';
import type { readDb } from './read-db.ts';
import type { FindResult } from './types.ts';

const pacing = lazily(() => import('../../../pace.ts'));
const reading = lazily(async () => (await import('./read-db.ts')).readDb);

/** Storage for the text of a find-db. Throws a Failure if storage refuses. */
export interface TextStore {
  /** Undefined if there is none yet. */
  read(): Promise<string | undefined>;
  /** Other pages and processes write there too: `change` receives the current text. */
  update(change: (text: string | undefined) => string): Promise<void>;
}

export interface TuningResultsOptions {
  /** The runtime with its version: the browser, or Node and Dawn. */
  runtime: string;
  /** The name of the place, for messages. */
  name: string;
  /** Receives failures of reading or writing, with their consequence. May throw them. */
  onFailure(failure: Failure, consequence: string): void;
}

const NOTHING: KnownChoices = { entry: () => undefined };

export class TuningResults {
  private readonly db = new FindDb();
  private loading: Promise<void> | undefined;
  private readonly pacing = new WeakMap<Device, Promise<Pace>>();

  constructor(
    private readonly store: TextStore,
    private readonly options: TuningResultsOptions,
  ) {}

  /**
   * Resolves when the stored results have been read and, if a device is given, its speed is known: it is measured the first
   * time, which takes up to a second.
   */
  async load(device?: Device): Promise<void> {
    this.loading ??= this.attempt('saved tuning results cannot be read', async () => {
      const text = await this.store.read();
      if (text === undefined) return;
      this.take(await reading(), text);
      await this.fingerprint();
    });
    await this.loading;
    if (device) await this.attempt('predictions are for another device', () => this.pace(device));
  }

  /** The speed of a device. Predictions on it follow it from now on. */
  async pace(device: Device): Promise<Pace> {
    await this.load();
    const measured = this.pacing.get(device) ?? this.learn(device);
    this.pacing.set(device, measured);
    return measured;
  }

  private async learn(device: Device): Promise<Pace> {
    const platform = platformOf(device, this.options.runtime);
    const known = this.db.paceAt(platform);
    const pace = known ?? (await (await pacing()).measurePace(device));
    setPace(device, pace);
    if (!known) {
      this.db.recordPace(platform, pace);
      await this.save();
    }
    return pace;
  }

  environmentOf(device: Device): TuningEnvironment {
    return environmentOf(device, this.options.runtime);
  }

  /** The results for a device; call `load` first. */
  known(device: Device): KnownChoices {
    return this.db.entries.length === 0 ? NOTHING : this.db.at(this.environmentOf(device));
  }

  /** Saves results; in memory in any case. */
  async record(device: Device, found: FindResult): Promise<void> {
    await this.load();
    await fetchShaders();
    this.db.record(this.environmentOf(device), found);
    await this.save();
  }

  /** All results, as a JSON file. */
  async export(): Promise<string> {
    await this.load();
    return this.db.toText();
  }

  /**
   * Imports such a file and returns its number of entries.
   * @param name for messages
   * @throws Failure `bad-file`
   */
  async import(name: string, text: string): Promise<number> {
    const imported = (await reading())(name, text);
    await this.load();
    await fetchShaders();
    this.db.merge(imported);
    await this.save();
    return imported.entries.length;
  }

  /** Deletes the results of a device. */
  async clear(device: Device): Promise<void> {
    await this.load();
    await fetchShaders();
    const environment = this.environmentOf(device);
    await this.save((db) => db.clear(environment));
  }

  /** @param last the last change to all results, others' included, before they are written */
  private async save(last: (db: FindDb) => void = () => undefined): Promise<void> {
    last(this.db);
    await this.attempt('tuning results will be lost at the end', async () => {
      let others: string | undefined;
      await this.store.update((text) => (others = text) ?? this.db.toText());
      if (others === undefined) return;
      const read = await reading();
      await this.store.update((text) => {
        this.take(read, text);
        last(this.db);
        return this.db.toText();
      });
    });
    await this.fingerprint();
  }

  /** Results are of certain shaders: their environment includes a fingerprint of all. */
  private async fingerprint(): Promise<void> {
    if (this.db.entries.length > 0) await fetchShaders();
  }

  private take(read: typeof readDb, text: string | undefined): void {
    if (text === undefined) return;
    try {
      this.db.merge(read(this.options.name, text));
    } catch (error) {
      this.report(error, 'saved tuning results cannot be read');
    }
  }

  private async attempt(consequence: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.report(error, consequence);
    }
  }

  private report(error: unknown, consequence: string): void {
    if (!(error instanceof Failure)) throw error;
    this.options.onFailure(error, consequence);
  }
}
