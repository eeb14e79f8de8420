/**
 * A run's folder:
 *
 *     run.json                  settings, tests, notes, and what lists show
 *     curve-0.safetensors ...   the curves, 2,048 points each
 *     checkpoint.safetensors    and checkpoint.safetensors.previous
 *     weights.safetensors       where there is no checkpoint, or one for fewer steps
 *     histograms.safetensors    of its layers, where they were recorded
 */
import { parsePlainJson } from '../base/plain-json.ts';
import { Failure } from '../base/result.ts';
import type { CurveLog } from '../run/metrics/curve-log.ts';
import { columnNames, noPoints, type PointColumn, type Points } from '../run/metrics/points.ts';
import type { HistogramRecord } from '../run/metrics/histograms.ts';
import { CheckpointFile } from './checkpoint-file.ts';
import { newestWhole, type FoundCheckpoint } from './checkpoints.ts';
import type { FileStore } from './file-store.ts';
import { pack, unpack } from './packed.ts';

const RECORD = 'run.json';
const WEIGHTS = 'weights.safetensors';
const CHECKPOINT = 'checkpoint.safetensors';
const HISTOGRAMS = 'histograms.safetensors';
const CHUNK = 2048;
const chunkName = (i: number): string => `curve-${i}.safetensors`;

export class RunFolder {
  readonly checkpoints: CheckpointFile;

  constructor(
    private readonly store: FileStore,
    readonly id: string,
  ) {
    this.checkpoints = new CheckpointFile(store, this.path(CHECKPOINT), false, CHECKPOINT);
  }

  /** Whether there is a run in it, with its curves: storage may be cleared at any time, also between two files. */
  async exists(): Promise<boolean> {
    const sizes = [RECORD, chunkName(0)].map((name) => this.store.size(this.path(name)));
    return (await Promise.all(sizes)).every((bytes) => bytes > 0);
  }

  /** Whether nothing is in it but files of a run: others, such as those of versions before 1.0, are not ours to delete. */
  async isOwn(): Promise<boolean> {
    const own = /^(?:run\.json|(?:checkpoint|weights|histograms|curve-\d+)\.safetensors(?:\.previous)?)$/;
    return (await this.store.list(this.id)).every((path) => own.test(path.slice(this.path('').length)));
  }

  /** Where its newest checkpoint is, by its head alone; undefined if there is none, null if it cannot be read. */
  async checkpointAt(): Promise<{ step: number; epoch: number } | undefined | null> {
    const found = await this.checkpoints.peek();
    if (found === undefined) return undefined;
    const { step, epoch } = (found ?? {}) as Record<string, unknown>;
    return Number.isSafeInteger(step) && Number.isSafeInteger(epoch)
      ? { step: step as number, epoch: epoch as number }
      : null;
  }

  /** Undefined if there is no run in it. @throws Failure `bad-file` if it is no JSON */
  async readRecord(): Promise<unknown> {
    const bytes = await this.store.read(this.path(RECORD));
    if (!bytes) return undefined;
    try {
      return parsePlainJson(new TextDecoder().decode(bytes));
    } catch (error) {
      throw new Failure('bad-file', `${RECORD} of the run ${this.id}: ${(error as Error).message}`);
    }
  }

  async writeRecord(record: object): Promise<void> {
    await this.store.write(this.path(RECORD), new TextEncoder().encode(JSON.stringify(record)));
  }

  /** The curves, up to the first part that is missing or damaged. */
  async readCurve(): Promise<Points> {
    const chunks: Points[] = [];
    for (let i = 0; ; i++) {
      const bytes = await this.store.read(this.path(chunkName(i)));
      const points = bytes && (await unpack(chunkName(i), bytes).then(asPoints, unlessDamaged));
      if (!points) break;
      // The steps of a chunk that was not deleted in time start again.
      if (points.step[0] <= (chunks.at(-1)?.step.at(-1) ?? 0)) break;
      chunks.push(points);
      if (points.step.length < CHUNK) break;
    }
    return joined(chunks);
  }

  /** Writes what has changed of the curves. */
  async writeCurve(log: CurveLog): Promise<void> {
    const { count, changedFrom } = log;
    if (changedFrom === Infinity) return;
    log.changedFrom = Infinity;
    const first = Math.floor(changedFrom / CHUNK);
    const chunks = Math.ceil(count / CHUNK);
    const parts = Array.from({ length: chunks - first }, (_, i) =>
      log.points((first + i) * CHUNK, Math.min(count, (first + i + 1) * CHUNK)),
    );
    try {
      for (const [i, part] of parts.entries())
        await this.store.write(this.path(chunkName(first + i)), await pack(part));
      const names = await this.store.list(this.id);
      for (let i = chunks; names.includes(this.path(chunkName(i))); i++)
        await this.store.remove(this.path(chunkName(i)));
    } catch (error) {
      log.changedFrom = Math.min(log.changedFrom, changedFrom);
      throw error;
    }
  }

  /** Of plain data. */
  async writeCheckpoint(value: object): Promise<void> {
    await this.checkpoints.write(await pack(value));
  }

  /** As `newestWhole` of the checkpoints. */
  newestCheckpoint<T>(check: (name: string, value: unknown) => T): Promise<FoundCheckpoint<T> | undefined> {
    return newestWhole(this.checkpoints, check);
  }

  readWeights(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.store.read(this.path(WEIGHTS));
  }

  async writeWeights(bytes: Uint8Array): Promise<void> {
    await this.store.write(this.path(WEIGHTS), bytes);
  }

  async removeWeights(): Promise<void> {
    await this.store.remove(this.path(WEIGHTS));
  }

  /** None if there are none, or they are damaged. */
  async readHistograms(): Promise<HistogramRecord[]> {
    const bytes = await this.store.read(this.path(HISTOGRAMS));
    const found = bytes && (await unpack(HISTOGRAMS, bytes).catch(unlessDamaged));
    return Array.isArray(found) ? (found as HistogramRecord[]) : [];
  }

  async writeHistograms(histograms: readonly HistogramRecord[]): Promise<void> {
    await this.store.write(this.path(HISTOGRAMS), await pack(histograms));
  }

  remove(): Promise<void> {
    return this.store.remove(this.id);
  }

  /** The bytes that it takes. */
  size(): Promise<number> {
    return this.store.size(this.id);
  }

  private path(name: string): string {
    return `${this.id}/${name}`;
  }
}

function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

/** Undefined if it is something else. */
function asPoints(value: unknown): Points | undefined {
  const { step, loss } = (value ?? {}) as Partial<Points>;
  if (!(step instanceof Float64Array) || !(loss instanceof Float32Array) || step.length === 0)
    return undefined;
  const columns = columnNames(value as Points).map((name) => (value as Points)[name]);
  const fits = columns.every((one) => one instanceof Float32Array && one.length === step.length);
  return fits ? (value as Points) : undefined;
}

/** Curves one after the other. A column that some lack is unknown there. */
function joined(parts: readonly Points[]): Points {
  if (parts.length === 0) return noPoints();
  const count = parts.reduce((sum, { step }) => sum + step.length, 0);
  const step = new Float64Array(count);
  const columns = new Map<PointColumn, Float32Array>();
  let at = 0;
  for (const part of parts) {
    step.set(part.step, at);
    for (const name of columnNames(part)) {
      const column = columns.get(name) ?? new Float32Array(count).fill(NaN);
      column.set(part[name] as Float32Array, at);
      columns.set(name, column);
    }
    at += part.step.length;
  }
  return { step, ...Object.fromEntries(columns) } as Points;
}
