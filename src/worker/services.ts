/** The services that the parts of the worker share. */
import { assert } from '../base/assert.ts';
import { lazily } from '../base/lazily.ts';
import { datasets } from '../data/catalogue.ts';
import { EMPTY_OWN } from '../data/own/info.ts';
import { TuningResults } from '../engine/ops/conv/choice/tuning-results.ts';
import { watchBusy } from '../gpu/busy.ts';
import type { AdapterInfo, Device } from '../gpu/device.ts';
import { fetchShaders } from '../gpu/sources.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { browserTuningStore } from '../storage/tuning-results.ts';
import type { Datasets } from './data/datasets.ts';
import { openDatasets } from './data/open.ts';
import type { EngineChoice } from './device/api.ts';
import { Engines } from './device/engines.ts';
import { deviceEvent } from './device/event.ts';
import { EventSender } from './events.ts';
import { ExclusiveGpu } from './exclusive-gpu.ts';
import { openRunStorage } from './runs/browser.ts';
import { inMemory } from './runs/storage.ts';
import { RunStore } from './runs/store.ts';
import { RunConfigurations } from './train/run-configurations.ts';
import { Runs, type RunsOptions } from './train/runs.ts';
import { shippedWeights } from './train/starts.ts';

const cpuEngine = lazily(() => {
  // It needs them for its first step; what cannot be fetched is reported there.
  fetchShaders(['conv/direct/blocked']).catch(() => undefined);
  return import('../cpu/page.ts');
});

export class Services {
  /** Whether anything may be stored in the browser. */
  private keeps = true;
  /** Of the current device, or the last one. */
  private adapter: AdapterInfo | undefined;
  readonly events = new EventSender();
  readonly engines = new Engines(
    () => navigator.gpu as GPU | undefined,
    async () => (await cpuEngine()).pageCpu(),
  );
  readonly supply = new DeviceSupply(
    () => this.engines.open(),
    (event) => {
      if (event.state === 'ready') this.adapter = event.device.adapter;
      this.events.send(deviceEvent(event, this.engines.insteadOfGpu));
      if (event.state === 'ready') this.watch(event.device);
      // A lost device is replaced even if nothing trains, so that Train finds one. The supply reports a failure itself.
      if (event.state === 'lost') this.supply.get().catch(() => undefined);
    },
  );
  /** The tuning results of this browser. */
  readonly tuningResults = new TuningResults(
    {
      read: async () => (this.keeps ? browserTuningStore.read() : undefined),
      update: async (change) => {
        if (this.keeps) await browserTuningStore.update(change);
      },
    },
    {
      runtime: navigator.userAgent,
      name: 'find-db',
      // If results cannot be stored, measuring still works.
      onFailure: ({ message }, consequence) => console.warn(`wgrad: ${consequence}: ${message}`),
    },
  );
  /** Makes a run's configuration from the page's RunConfig. */
  readonly settings = new RunConfigurations({
    supply: this.supply,
    dataset: (name) => this.datasets.get(name),
    known: async () => {
      // Without a device there is nothing to predict for; whoever needs one reports why.
      await this.tuningResults.load(await this.supply.get().catch(() => undefined));
      return (device) => this.tuningResults.known(device);
    },
  });
  /** The runs that the browser keeps. */
  readonly store = new RunStore({
    open: async () => (this.keeps ? openRunStorage() : inMemory()),
    send: (event) => this.events.send(event),
  });
  /** What a new run's record says besides its settings. */
  readonly facts: RunsOptions['facts'] = ({ config, title, dataset: { classes } }) => {
    const { description = '', software = false } = this.adapter ?? {};
    const known = datasets.has(config.dataset);
    const dataset = known ? datasets.get(config.dataset).title : EMPTY_OWN.title;
    return { model: title, dataset, classes: [...classes], adapter: description, software };
  };
  readonly shipped: RunsOptions['shipped'] = (name) => shippedWeights(name, this.pageUrl);
  /** The run that the page sees. */
  readonly runs: Runs = new Runs(this);
  readonly gpu = new ExclusiveGpu(this.runs, (task) => this.events.send({ type: 'gpuTask', task }));
  private opened: Datasets | undefined;
  /** The page's folder, ending in "/". */
  pageUrl = '';

  /** Reports what happens on a device besides its loss. */
  private watch(device: Device): void {
    device.kernels.onProgress = (progress) => this.events.send({ type: 'compiling', ...progress });
    // The processor works in small pieces, and the worker's own heartbeat covers it.
    if (!device.adapter.cpu) watchBusy(device, (busy) => this.events.send({ type: 'gpuBusy', busy }));
  }

  /**
   * Sends events to a port from now on.
   * @param pageUrl the folder of the page, ending in "/"
   * @param engine the engine to compute on
   * @param keeps whether anything may be stored in the browser
   */
  listen(port: MessagePort, pageUrl: string, engine: EngineChoice, keeps: boolean): void {
    this.keeps = keeps;
    this.events.listen(port);
    this.engines.choice = engine;
    this.pageUrl = pageUrl;
    this.opened = openDatasets(pageUrl, keeps, (event) => this.events.send(event));
  }

  get datasets(): Datasets {
    assert(this.opened !== undefined, 'the worker was called before `listen`');
    return this.opened;
  }
}
