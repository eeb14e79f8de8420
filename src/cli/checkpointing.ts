/** `train --checkpoint` and `--resume`: saving and resuming a run. */
import { basename, dirname } from 'node:path';
import * as v from 'valibot';
import { checked } from '../base/checked.ts';
import { Failure } from '../base/result.ts';
import { datasetChecksum } from '../data/checksum.ts';
import type { Dataset } from '../data/dataset.ts';
import { FolderStore, sweepParts } from '../node/files.ts';
import { acquire, type Lock } from '../node/lock.ts';
import { beside, kindOf, placeOf } from '../node/place.ts';
import { CheckpointFile, PREVIOUS } from '../storage/checkpoint-file.ts';
import { CheckpointWriter, newestWhole } from '../storage/checkpoints.ts';
import type { Checkpoint } from '../train/checkpoint.ts';
import { asCheckpoint } from '../train/stored-checkpoint.ts';
import type { TrainingConfig } from '../train/config.ts';
import { optional, output, text, withDefault, type Option } from './arguments.ts';
import type { OutputFile } from './outputs.ts';
import { contradiction, keyOf } from './settings.ts';

type Every = { steps: number } | { ms: number };

/** "500": steps; "30s": seconds. */
const every: Option<Every> = {
  placeholder: 'N|Ns',
  summary: 'Checkpoint interval, in steps (500) or seconds (30s).',
  read(texts, name) {
    const word = texts[texts.length - 1];
    const [, digits, seconds] = /^(\d+)(s?)$/.exec(word) ?? [];
    const number = Number(digits);
    if (!(Number.isSafeInteger(number) && number > 0)) {
      throw new Failure(
        'bad-input',
        `${name}: expected steps or seconds, such as 500 or 30s; found "${word}"`,
      );
    }
    return seconds ? { ms: 1000 * number } : { steps: number };
  },
};

/** What is written for a checkpoint. */
export function checkpointFiles(path: unknown): readonly OutputFile[] {
  return [{ path: path as string, kind: 'checkpoint', kept: true, companions: [PREVIOUS] }];
}

export const checkpointOptions = {
  checkpoint: optional(
    output('FILE', 'Write checkpoints here; the previous one is renamed to FILE.previous.', checkpointFiles),
  ),
  'checkpoint-every': withDefault(every, { ms: 60_000 }, '60s'),
  resume: optional({
    ...text('FILE', 'Resume from a checkpoint, bit for bit, and continue to save there.'),
    reads: checkpointFiles,
  }),
};

/** Options that may differ when a run is resumed. All others come from the checkpoint. */
const FREE: readonly string[] = [
  ...Object.keys(checkpointOptions),
  ...['epochs', 'steps', 'lr', 'stop-at-accuracy', 'patience', 'memory-limit', 'recompute'],
  ...['data-dir', 'labels', 'splits', 'save', 'save-folded', 'eval-train', 'find-db', 'engine'],
];

/** The contents of a checkpoint file. */
export interface SavedRun extends Checkpoint {
  /** Of the data set; see `datasetChecksum`. */
  sha256: string;
  /** The GPU that it ran on. */
  adapter: string;
  /** The command line's options. Absent in checkpoints of other programs. */
  options?: Readonly<Record<string, unknown>> & {
    readonly [name in 'data-dir' | 'labels' | 'splits']?: string | undefined;
  };
}

/** What `SavedRun` adds to a checkpoint. Other options are compared with those given, whatever they are. */
const Saved = v.looseObject({
  sha256: v.string(),
  adapter: v.pipe(v.string(), v.maxLength(1000)),
  options: v.optional(
    v.looseObject({
      'data-dir': v.optional(v.string()),
      labels: v.optional(v.string()),
      splits: v.optional(v.string()),
    }),
  ),
});

/**
 * Where a checkpoint is, through all links.
 * @throws Failure `not-found` if there is not even a folder, `bad-file` if it is no file
 */
async function targetOf(path: string): Promise<string> {
  const place = await placeOf(path).catch((cause: Error) => {
    throw new Failure('not-found', `there is no checkpoint ${path}: ${cause.message}`, undefined, { cause });
  });
  const kind = kindOf(place);
  if (kind !== 'a file') throw new Failure('bad-file', `${path}: expected a checkpoint, found ${kind}`);
  return place.path;
}

/**
 * @param fresh existing files belong to another run
 * @throws Failure as `targetOf`
 */
export async function checkpointFile(path: string, fresh = false): Promise<CheckpointFile> {
  const target = await targetOf(path);
  const [name, previous] = [target, beside(target, PREVIOUS)].map((one) => basename(one));
  return new CheckpointFile(new FolderStore(dirname(target)), name, fresh, path, previous);
}

/** How long the process that holds a checkpoint's lock may take to end: one that was killed gives its memory back first. */
const LOCK_WAIT_MS = 3000;

/**
 * Acquires the lock of a run: of its checkpoint and of the previous one.
 * @throws Failure `busy` naming the process that holds it, `bad-input` if there can be no lock, or as `targetOf`
 */
export async function lockCheckpoint(path: string): Promise<Lock> {
  const target = await targetOf(path);
  try {
    return await acquire(target.replace(/(\.previous)+$/, ''), LOCK_WAIT_MS);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('bad-input', `${path} cannot be locked: ${(error as Error).message}`);
  }
}

/**
 * Reads the newest intact checkpoint, with a note if that is not the last one.
 * @throws Failure `not-found` or `bad-file`
 */
export async function readSavedRun(path: string, note: (message: string) => void): Promise<SavedRun> {
  const found = await newestWhole(await checkpointFile(path), (name, value) => {
    const run = asCheckpoint(name, value);
    checked(name, Saved, run);
    return run as SavedRun;
  });
  if (!found) throw new Failure('not-found', `there is no checkpoint ${path}`);
  await sweepParts((await placeOf(path)).path);
  for (const { message } of found.skipped)
    note(`${message}. Reading ${found.name}, the previous checkpoint.`);
  return found.value;
}

/**
 * @param given names of the options that were given
 * @throws Failure `bad-input` naming an option that contradicts the checkpoint
 */
export function refuseContradictions(
  run: SavedRun,
  options: Readonly<Record<string, unknown>>,
  given: ReadonlySet<string>,
): void {
  for (const name of given) {
    if (FREE.includes(name)) continue;
    const key = keyOf(name);
    const [asked, saved] = [options[name], run.options?.[name]].map((value) => JSON.stringify(value));
    const found = key
      ? contradiction(options, key, run.config)
      : asked !== saved && `--${name}: the run to resume has ${saved ?? 'its own'}, not ${asked}`;
    if (found) throw new Failure('bad-input', found, 'Omit it: a resumed run keeps its settings.');
  }
}

/** @throws Failure `bad-input` if the images differ from those that the run was trained on */
export async function requireSameData(run: SavedRun, dataset: Dataset): Promise<void> {
  const found = await datasetChecksum(dataset);
  if (found !== run.sha256) {
    throw new Failure(
      'bad-input',
      `${dataset.name} differs from the data that the run was trained on: expected SHA-256 ${run.sha256}, found ${found}`,
      'Give --data-dir with the same files.',
    );
  }
}

/** How often a run must save a checkpoint for the requested interval of the file. */
export const checkpointEvery = (interval: Every): Pick<TrainingConfig, 'checkpointEvery'> =>
  'steps' in interval
    ? { checkpointEvery: interval }
    : { checkpointEvery: { ms: Math.min(interval.ms, 5000) } };

/** Writes a run's checkpoints at the requested interval. */
export class CheckpointSaver {
  private readonly writer: CheckpointWriter<SavedRun>;
  private failure: Failure | undefined;
  private last: { step: number; at: number };

  constructor(
    readonly file: CheckpointFile,
    lock: Pick<Lock, 'renew'>,
    private readonly interval: Every,
    private readonly about: Pick<SavedRun, 'sha256' | 'adapter' | 'options'>,
    note: (message: string) => void,
  ) {
    this.last = { step: -1, at: performance.now() };
    const write = async (bytes: Uint8Array<ArrayBuffer>) => {
      await lock.renew();
      await file.write(bytes);
    };
    this.writer = new CheckpointWriter<SavedRun>(
      { write },
      () => (this.failure = undefined),
      (failure) => {
        // Training continues; the next write may succeed.
        if (this.failure?.message !== failure.message) note(failure.message);
        this.failure = failure;
      },
    );
  }

  /** Writes a checkpoint of the run, if it is due. */
  save(checkpoint: Checkpoint): void {
    const { interval, last } = this;
    const due =
      'steps' in interval
        ? checkpoint.step % interval.steps === 0
        : performance.now() - last.at >= interval.ms;
    if (due) this.offer(checkpoint);
  }

  /** Writes the last checkpoint. @throws Failure `storage` if it could not be written */
  async end(checkpoint: Checkpoint | undefined): Promise<void> {
    if (checkpoint && checkpoint.step !== this.last.step) this.offer(checkpoint);
    await this.writer.done();
    if (this.failure) throw this.failure;
  }

  private offer(checkpoint: Checkpoint): void {
    this.last = { step: checkpoint.step, at: performance.now() };
    this.writer.offer({ ...checkpoint, ...this.about });
  }
}
