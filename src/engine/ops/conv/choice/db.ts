/**
 * The tuning results: an entry for each problem, direction, number type and workspace limit, on each adapter with its
 * driver, browser and set of kernels. If any of these differs, an entry does not apply. Beside them, each adapter's speed.
 */
import type { Device } from '../../../../gpu/device.ts';
import type { Pace } from '../../../cost.ts';
import type { NumberType } from '../../../plan.ts';
import { problemKey, type ConvProblem, type Direction } from '../problem.ts';
import type { Choice, FindResult, TimedLaunch } from './types.ts';

/** Where an entry was measured. */
export interface TuningEnvironment {
  /** "nvidia, hopper, NVIDIA H200, NVIDIA: 570.86.15": vendor, architecture, name and driver. */
  adapter: string;
  /** The browser, or Node and Dawn, with versions. */
  runtime: string;
  /** A fingerprint of all shaders' texts. */
  kernels: string;
}

/** The search that an entry belongs to. */
export interface Question {
  /** As returned by `problemKey`. */
  problem: string;
  direction: Direction;
  number: NumberType;
  /** The limit, in bytes. */
  workspace: number;
}

export interface DbEntry extends TuningEnvironment, Question {
  /** The fastest; absent if none was correct. Times are in milliseconds. */
  best?: Choice & Pick<TimedLaunch, 'median' | 'p10' | 'p90' | 'clock' | 'error' | 'workspaceBytes'>;
  /** Launches that gave incorrect results or did not run. Never used. */
  quarantine: (Choice & { reason: string })[];
  /** ISO 8601. */
  date: string;
}

/** The speed of a device, by which launches without an entry are predicted. */
export interface DevicePace extends Platform {
  pace: Pace;
  /** ISO 8601. */
  date: string;
}

/** The entries of one environment. */
export interface KnownChoices {
  entry(
    problem: ConvProblem,
    direction: Direction,
    number: NumberType,
    workspace: number,
  ): DbEntry | undefined;
}

/** A device and what runs it, whatever its kernels. */
export type Platform = Pick<TuningEnvironment, 'adapter' | 'runtime'>;

/** @param runtime the browser, or Node and Dawn, with versions */
export function platformOf({ adapter }: Device, runtime: string): Platform {
  const { vendor, architecture, description, driver } = adapter;
  const words = [vendor, architecture, description, driver].filter((word) => word !== '');
  return { adapter: words.join(', '), runtime };
}

/** The same with its kernels; call `fetchShaders` first. */
export const environmentOf = (device: Device, runtime: string): TuningEnvironment => ({
  ...platformOf(device, runtime),
  kernels: device.kernels.version,
});

export const FORMAT = 'wgrad find-db';
export const VERSION = 1;

const keyOf = ({
  adapter,
  runtime,
  kernels,
  problem,
  direction,
  number,
  workspace,
}: TuningEnvironment & Question): string =>
  JSON.stringify([adapter, runtime, kernels, problem, direction, number, workspace]);

const keyOfPlatform = ({ adapter, runtime }: Platform): string => JSON.stringify([adapter, runtime]);

export class FindDb {
  private readonly byKey = new Map<string, DbEntry>();
  private readonly byDevice = new Map<string, DevicePace>();

  constructor(entries: Iterable<DbEntry> = [], paces: Iterable<DevicePace> = []) {
    this.add(entries, paces);
  }

  get paces(): DevicePace[] {
    return [...this.byDevice.values()];
  }

  /** The speed of a device, if it was measured. */
  paceAt(platform: Platform): Pace | undefined {
    return this.byDevice.get(keyOfPlatform(platform))?.pace;
  }

  recordPace({ adapter, runtime }: Platform, pace: Pace, date = new Date()): void {
    this.byDevice.set(keyOfPlatform({ adapter, runtime }), {
      adapter,
      runtime,
      pace,
      date: date.toISOString(),
    });
  }

  get entries(): DbEntry[] {
    return [...this.byKey.values()];
  }

  at(environment: TuningEnvironment): KnownChoices {
    return {
      entry: (problem, direction, number, workspace) =>
        this.byKey.get(keyOf({ ...environment, problem: problemKey(problem), direction, number, workspace })),
    };
  }

  /** Stores the result of a search, replacing an earlier one. */
  record(environment: TuningEnvironment, found: FindResult, date = new Date()): DbEntry {
    const { problem, direction, number, workspace, tried } = found;
    const { best } = found;
    const winner = tried.find(
      (one): one is TimedLaunch =>
        one.outcome === 'timed' && one.algorithm === best?.algorithm && one.launch === best.launch,
    );
    const entry: DbEntry = {
      ...environment,
      problem: problemKey(problem),
      direction,
      number,
      workspace,
      ...(winner ? { best: bestOf(winner) } : {}),
      quarantine: tried.flatMap((one) =>
        one.outcome === 'timed' ? [] : [{ algorithm: one.algorithm, launch: one.launch, reason: one.reason }],
      ),
      date: date.toISOString(),
    };
    this.byKey.set(keyOf(entry), entry);
    return entry;
  }

  /**
   * Adds what another has. Of two entries for the same search, the later one stays, but none of the future, which a wrong
   * clock dated; of two speeds of a device the earlier, so that predictions do not change.
   */
  merge({ entries, paces }: FindDb): void {
    this.add(entries, paces);
  }

  private add(entries: Iterable<DbEntry>, paces: Iterable<DevicePace>): void {
    const now = new Date().toISOString();
    const dateOf = ({ date }: DbEntry) => (date <= now ? date : '');
    for (const entry of entries) {
      const key = keyOf(entry);
      const known = this.byKey.get(key);
      if (known === undefined || dateOf(known) <= dateOf(entry)) this.byKey.set(key, entry);
    }
    for (const one of paces) {
      const key = keyOfPlatform(one);
      const known = this.byDevice.get(key);
      if (known === undefined || known.date > one.date) this.byDevice.set(key, one);
    }
  }

  /** Deletes what was measured in an environment; everything if none is given. */
  clear(environment?: TuningEnvironment): void {
    for (const [key, entry] of this.byKey) {
      const { adapter, runtime, kernels } = environment ?? entry;
      if (entry.adapter === adapter && entry.runtime === runtime && entry.kernels === kernels) {
        this.byKey.delete(key);
      }
    }
    if (environment) this.byDevice.delete(keyOfPlatform(environment));
    else this.byDevice.clear();
  }

  /** The text of a file. */
  toText(): string {
    const { entries, paces } = this;
    return `${JSON.stringify({ format: FORMAT, version: VERSION, paces, entries }, null, 1)}\n`;
  }
}

const bestOf = ({ algorithm, launch, median, p10, p90, clock, error, workspaceBytes }: TimedLaunch) => ({
  algorithm,
  launch,
  median,
  p10,
  p90,
  clock,
  error,
  workspaceBytes,
});
