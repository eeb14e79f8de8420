/**
 * A random walk through what a person can do with runs, in two tabs that share their storage: commands come at any time, also
 * while others are carried out. Numbers of a run never mix with another's, what is kept is whole, and memory is freed.
 */
import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { count, SEED } from '../../base/testing/tier.ts';
import { Failure } from '../../base/result.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { unpackRows } from '../../run/metrics/rows.ts';
import { OpfsFileStore } from '../../storage/opfs.ts';
import { RunLocks } from '../../storage/run-locks.ts';
import { FakeDirectory } from '../../storage/testing.ts';
import { dataset, tiny } from '../../train/testing/tiny-run.ts';
import type { RunConfig, WorkerEvent } from '../api.ts';
import { EventSender } from '../events.ts';
import { RunStore } from '../runs/store.ts';
import { RunConfigurations } from './run-configurations.ts';
import { Runs } from './runs.ts';

const ACTIONS = count(60, 60, Number(process.env['WGRAD_ACTIONS'] ?? 3000));

const supply = new DeviceSupply(() => openNodeDevice());
const settings = new RunConfigurations({
  supply,
  dataset: async () => dataset,
  known: async () => () => ({ entry: () => undefined }),
});

/** Locks of all tabs. A tab that is closed holds none. */
class Locks {
  private readonly holders = new Map<string, Tab>();

  of(tab: Tab): Pick<LockManager, 'request' | 'query'> {
    return {
      query: async () => ({ held: [...this.holders.keys()].map((name) => ({ name })), pending: [] }),
      request: async (name: string, _options: LockOptions, work: (lock: unknown) => unknown) => {
        await Promise.resolve();
        if (this.holders.has(name)) return work(null);
        this.holders.set(name, tab);
        await work({ name });
        if (this.holders.get(name) === tab) this.holders.delete(name);
        return undefined;
      },
    } as unknown as LockManager;
  }

  release(tab: Tab): void {
    for (const [name, holder] of this.holders) if (holder === tab) this.holders.delete(name);
  }
}

/** What all tabs share. */
class Browser {
  readonly files = new FakeDirectory();
  readonly locks = new Locks();
  readonly tabs = new Set<Tab>();
  /** What is wrong. */
  readonly complaints: string[] = [];
  /** Losses by settings and step, of the first run that had them. */
  private readonly known = new Map<string, number>();

  /** A run with the same settings has the same loss at this step. @param where it was found */
  expectLoss(key: string, step: number, loss: number, where: string): void {
    const before = this.known.get(`${key} ${step}`);
    if (before === undefined) this.known.set(`${key} ${step}`, loss);
    else if (loss !== before)
      this.complaints.push(`${where}: step ${step} of ${key}: ${loss}, was ${before}`);
  }
}

interface Shown {
  key: string;
  /** The first step at which its settings were changed. */
  changedAt: number;
  last: number;
}

const keyOf = ({ seed, batchSize, lr }: Pick<RunConfig, 'seed' | 'batchSize' | 'lr'>) =>
  `seed ${seed}, batch ${batchSize}, lr ${lr}`;

interface Closable {
  close(): Promise<void>;
}

/** A visit of the page. */
class Tab {
  readonly runs: Runs;
  readonly store: RunStore;
  config: RunConfig;
  /** Its commands that are being carried out. */
  readonly waiting = new Set<Promise<unknown>>();
  private isOpen = true;
  private readonly shown = new Map<number, Shown>();
  private readonly listeners: ((event: { data: unknown }) => void)[] = [];

  constructor(
    private readonly browser: Browser,
    readonly random: Random,
  ) {
    browser.tabs.add(this);
    const events = new EventSender();
    events.listen({ postMessage: (event) => this.isOpen && this.hear(event) });
    this.store = new RunStore({
      open: async () => ({
        // What a closed tab was about to write is never written.
        files: new OpfsFileStore(() =>
          this.isOpen ? Promise.resolve(browser.files.handle) : new Promise(() => undefined),
        ),
        locks: new RunLocks(browser.locks.of(this)),
        channel: {
          postMessage: (data: unknown) => this.tell(data),
          addEventListener: (_type: string, listener: never) => void this.listeners.push(listener),
        },
      }),
      send: (event) => events.send(event),
    });
    const facts = () => ({ model: 'Tiny', dataset: 'quarters', classes: [], adapter: '', software: false });
    const own = Object.create(supply) as DeviceSupply;
    // A closed tab asks for no device.
    own.get = () =>
      this.isOpen ? supply.get() : Promise.reject(new Failure('cancelled', 'The tab was closed.'));
    const shipped = () => Promise.reject(new Error('no test starts from them'));
    this.runs = new Runs({ supply: own, events, settings, store: this.store, facts, shipped });
    this.config = this.newConfig();
  }

  newConfig(): RunConfig {
    const { model, dataset: _, ...rest } = tiny();
    return {
      ...rest,
      model,
      dataset: dataset.name,
      seed: 1 + this.random.below(3),
      batchSize: [8, 16][this.random.below(2)],
      record: `r${this.random.uint32()}`,
    } as RunConfig;
  }

  async close(): Promise<void> {
    this.isOpen = false;
    this.browser.locks.release(this);
    this.browser.tabs.delete(this);
    // A browser frees what the worker of a closed tab has on the GPU, also while the run waits for its last write.
    const { current } = this.runs as unknown as { current?: { run: Closable & { slot: Closable } } };
    await Promise.race([current?.run.close(), pause(1000)]);
    await current?.run.slot.close();
  }

  private tell(data: unknown): void {
    if (!this.isOpen) return;
    for (const other of this.browser.tabs)
      if (other !== this) for (const listener of other.listeners) setTimeout(() => listener({ data }));
  }

  private hear(event: WorkerEvent): void {
    switch (event.type) {
      case 'state': {
        const { config } = this.runs.run as unknown as { config: RunConfig };
        const known = this.shown.get(event.runId);
        if (!known)
          this.shown.set(event.runId, { key: keyOf(config), changedAt: Infinity, last: event.step });
        else if (event.step < known.last) known.last = event.step;
        break;
      }
      case 'adjusted': {
        const run = this.shown.get(event.runId);
        if (!run) break;
        run.changedAt = Math.min(Infinity, ...event.adjustments.map(({ step }) => step));
        const { lr } = event.start;
        run.key = run.key.replace(/lr .*/, `lr ${lr}`);
        break;
      }
      case 'steps': {
        const run = this.shown.get(event.runId);
        if (!run) {
          this.browser.complaints.push(`steps of run ${event.runId}, which is not shown`);
          break;
        }
        for (const { step, loss } of unpackRows(event.rows, event.columns)) {
          if (step > run.last + 1)
            this.browser.complaints.push(`step ${step} after ${run.last} of ${run.key}`);
          run.last = step;
          if (step <= run.changedAt) this.browser.expectLoss(run.key, step, loss, 'reported');
        }
        break;
      }
      case 'history': {
        const { step: steps, loss } = event.points;
        // The changes of its settings follow.
        queueMicrotask(() => {
          const run = this.shown.get(event.runId);
          steps.forEach((step, i) => {
            if (run && step <= run.changedAt) this.browser.expectLoss(run.key, step, loss![i], 'history');
          });
        });
        break;
      }
      default:
    }
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

test(`${ACTIONS} actions at random, seed ${SEED}`, async () => {
  const random = new Random(SEED, 'walk');
  const browser = new Browser();
  let tab = new Tab(browser, random);
  const trace: string[] = [];
  let deleted = 'none';
  const anyId = async () => {
    const { runs } = await tab.store.all();
    return runs.length === 0 ? 'none' : runs[random.below(runs.length)].id;
  };
  const actions: Record<string, () => Promise<unknown>> = {
    train: () => tab.runs.train(tab.config),
    step: () => tab.runs.stepBatch(tab.config),
    pause: () => tab.runs.pause(),
    restart: () => tab.runs.restart(tab.config),
    stop: () => tab.runs.stop(),
    resumeStopped: () => tab.runs.resumeStopped(),
    edit: async () => void (tab.config = tab.newConfig()),
    adjust: async () => {
      tab.config = await tab.runs.adjust({ lr: [0.01, 0.003][random.below(2)] });
    },
    pace: async () => tab.runs.setPace([Infinity, 50, 200][random.below(3)]),
    predict: () => tab.runs.predict(new Uint8Array(64)),
    evaluate: () => tab.runs.evaluate(),
    resume: async () => {
      tab.config = await tab.runs.resume(await anyId());
    },
    delete: async () => {
      deleted = await anyId();
      await tab.runs.letGo([deleted]);
      await (await tab.store.trash()).delete([deleted]);
    },
    restore: async () => (await tab.store.trash()).restore([deleted]),
    rename: async () => tab.store.tabs.change(await anyId(), { name: `n${random.below(100)}` }),
    free: async () => {
      const id = await anyId();
      await tab.runs.letGo([id]);
      await (await tab.store.trash()).free([id]);
    },
    look: async () => tab.store.files.curves(await anyId()),
    export: async () => tab.store.files.checkpoint(await anyId()),
    offered: () => tab.store.offered(),
    loseDevice: async () => (await supply.get()).destroy(),
    otherTab: async () => {
      const others = [...browser.tabs].filter((one) => one !== tab);
      tab = others[0] ?? new Tab(browser, random);
    },
    reload: async () => {
      const before = tab;
      tab = new Tab(browser, random);
      await before.close();
    },
    clearStorage: async () => browser.files.children.clear(),
  };
  /** More of what people do most; less of what hardly happens. */
  const often = ['train', 'train', 'train', 'step', 'step', 'pause', 'edit', 'resume', 'resume', 'adjust'];
  const seldom = ['loseDevice', 'reload', 'delete', 'free'];
  const usual = Object.keys(actions).filter((name) => name !== 'clearStorage' && !seldom.includes(name));
  const names = [...often, ...usual, ...often, ...usual, ...seldom];
  try {
    for (let i = 0; i < ACTIONS; i++) {
      const name = names[random.below(names.length)];
      trace.push(name);
      // Refusals are values for the page; anything else is a bug.
      const done = actions[name]().catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        trace.push(`(${error.code})`);
      });
      const { waiting } = tab;
      waiting.add(done);
      void done.finally(() => waiting.delete(done)).catch(() => undefined);
      // Every other action comes while the one before is carried out.
      if (random.below(2) === 0 || name === 'reload' || name === 'otherTab')
        await Promise.race([done, pause(2000)]);
      else await Promise.race([done, pause(random.below(10))]);
      expect(browser.complaints).toEqual([]);
    }
    await Promise.all([...browser.tabs].map(async ({ runs }) => runs.stop()));
    await Promise.all([...browser.tabs].flatMap(({ waiting }) => [...waiting]));
    await Promise.all([...browser.tabs].map(({ runs }) => runs.written()));
    await Promise.all([...browser.tabs].map((one) => one.close()));
    const { entries } = (await supply.get()).ledger;
    expect(entries.map(({ label }) => label)).toEqual([]);

    // What is kept is whole.
    const last = new Tab(browser, random);
    const { runs, damaged } = await last.store.all();
    expect(damaged).toEqual([]);
    for (const { id, config, checkpoint, name } of runs) {
      const { step, loss } = await last.store.files.curves(id);
      expect([...step], `steps of ${name}`).toEqual([...step].map((_, at) => at + 1));
      const found = await last.store.files.checkpoint(id);
      expect(found?.value.step, `the checkpoint of ${name}`).toBe(checkpoint?.step);
      expect(found?.skipped ?? []).toEqual([]);
      if (!found) continue;
      expect(step.length, `the curve of ${name}`).toBeGreaterThanOrEqual(found.value.step);
      const { adjustments = [] } = found.value.config;
      const key = keyOf({ ...config, lr: found.value.config.lr });
      const until = Math.min(found.value.step, ...adjustments.map((one) => one.step));
      for (let at = 0; at < until; at++) browser.expectLoss(key, at + 1, loss![at], name);
    }
    expect(browser.complaints).toEqual([]);
    await last.close();
  } catch (error) {
    console.log(`seed ${SEED}: ${trace.join(' ')}`);
    throw error;
  }
});
