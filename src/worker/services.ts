/** The services that the parts of the worker share. */
import { assert } from '../base/assert.ts';
import { lazily } from '../base/lazily.ts';
import { TuningResults } from '../engine/ops/conv/choice/tuning-results.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { openRunPlaces } from '../storage/run-places.ts';
import { browserTuningStore } from '../storage/tuning-results.ts';
import type { Datasets } from './data/datasets.ts';
import { openDatasets } from './data/open.ts';
import type { EngineChoice } from './device/api.ts';
import { Engines } from './device/engines.ts';
import { deviceEvent } from './device/event.ts';
import { EventSender } from './events.ts';
import { ExclusiveGpu } from './exclusive-gpu.ts';
import { SavedRuns } from './train/saved-runs.ts';
import { RunSettings } from './train/run-settings.ts';
import { Runs } from './train/runs.ts';

const cpuEngine = lazily(() => import('../cpu/page.ts'));

export class Services {
  readonly events = new EventSender();
  readonly engines = new Engines(
    () => navigator.gpu as GPU | undefined,
    async () => (await cpuEngine()).pageCpu(),
  );
  readonly supply = new DeviceSupply(
    () => this.engines.open(),
    (event) => {
      this.events.send(deviceEvent(event, this.engines.insteadOfGpu));
      if (event.state === 'ready')
        event.device.kernels.onProgress = (progress) => this.events.send({ type: 'compiling', ...progress });
      // A lost device is replaced even if nothing trains, so that Train finds one. The supply reports a failure itself.
      if (event.state === 'lost') this.supply.get().catch(() => undefined);
    },
  );
  /** The tuning results of this browser. */
  readonly tuningResults = new TuningResults(browserTuningStore, {
    runtime: navigator.userAgent,
    name: 'find-db',
    // If results cannot be stored, measuring still works.
    onFailure: ({ message }, consequence) => console.warn(`wgrad: ${consequence}: ${message}`),
  });
  /** Makes a run's configuration from the page's RunConfig. */
  readonly settings = new RunSettings({
    supply: this.supply,
    dataset: (name) => this.datasets.get(name),
    known: async () => {
      await this.tuningResults.load();
      return (device) => this.tuningResults.known(device);
    },
  });
  readonly savedRuns = new SavedRuns({
    open: openRunPlaces,
    onWritten: ({ step }) => this.events.send({ type: 'checkpoint', runId: this.runs.id, step }),
    onFailure: ({ value }) =>
      this.events.send({ type: 'checkpoint', runId: this.runs.id, step: 0, error: value }),
  });
  /** The run that the page sees. */
  readonly runs: Runs = new Runs(this);
  readonly gpu = new ExclusiveGpu({ pause: () => this.runs.pause(), resume: () => this.runs.resumePaused() });
  private opened: Datasets | undefined;
  /** The page's folder, ending in "/". */
  pageUrl = '';

  /**
   * Sends events to a port from now on.
   * @param pageUrl the folder of the page, ending in "/"
   * @param engine the engine to compute on
   */
  listen(port: MessagePort, pageUrl: string, engine: EngineChoice): void {
    this.events.listen(port);
    this.engines.choice = engine;
    this.pageUrl = pageUrl;
    this.opened = openDatasets(pageUrl, (event) => this.events.send(event));
  }

  get datasets(): Datasets {
    assert(this.opened !== undefined, 'the worker was asked for data before `listen`');
    return this.opened;
  }
}
