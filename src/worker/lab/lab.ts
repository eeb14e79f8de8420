/** The Lab's jobs: one at a time, on the device that training uses, while nothing trains. */
import { lazily } from '../../base/lazily.ts';
import { Failure, type FailureValue } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import type { DeviceSupply } from '../../gpu/supply.ts';
import type { LabEvent, LabJob, LabProgress } from '../api.ts';
import type { FoundKeeper } from './found.ts';

const measuring = lazily(() => import('./measuring.ts'));

/** What a job works with. */
export interface Bench {
  device: Device;
  signal: AbortSignal;
  tell(progress: LabProgress): void;
}

export interface LabOptions {
  supply: DeviceSupply;
  keeper: FoundKeeper;
  send(event: LabEvent): void;
  /** Lets a run that trains rest; answers whether there was one. */
  pauseTraining(): Promise<boolean>;
}

export class Lab {
  private current: AbortController | undefined;

  constructor(private readonly options: LabOptions) {}

  /** @throws Failure `busy` while a job is under way: training would falsify its times */
  requireIdle(): void {
    if (!this.current) return;
    throw new Failure(
      'busy',
      'The Lab is measuring, and whatever else the GPU did meanwhile would falsify its times.',
      'Wait until it is done, or stop it in the Lab.',
    );
  }

  /**
   * Begins a job; what comes of it is told by events.
   * @param job its number
   * @throws Failure `busy` while another is under way
   */
  begin(job: number, what: LabJob): void {
    this.requireIdle();
    const abort = new AbortController();
    this.current = abort;
    const tell = (progress: LabProgress) => this.options.send({ type: 'lab', job, ...progress });
    void this.work(what, abort.signal, tell);
  }

  cancel(): void {
    this.current?.abort();
  }

  private async work(
    what: LabJob,
    signal: AbortSignal,
    tell: (progress: LabProgress) => void,
  ): Promise<void> {
    let ending: LabProgress = { step: 'ended', how: 'done' };
    try {
      const { runFindJob, runTuneJob } = await measuring();
      const pausedRun = await this.options.pauseTraining();
      const bench = { device: await this.options.supply.get(), signal, tell };
      if (what.kind === 'find') await runFindJob(bench, what, pausedRun);
      else await runTuneJob(bench, what, pausedRun, this.options.keeper);
    } catch (error) {
      if (!signal.aborted) {
        ending = { step: 'ended', how: 'failed', error: failureOf(error) };
        if (!(error instanceof Failure)) throw error;
      }
    } finally {
      if (signal.aborted) ending = { step: 'ended', how: 'cancelled' };
      this.current = undefined;
      tell(ending);
    }
  }
}

const failureOf = (error: unknown): FailureValue =>
  error instanceof Failure
    ? error.value
    : {
        code: 'unsupported',
        message: `Something went wrong inside wgrad: ${error instanceof Error ? error.message : String(error)}`,
        advice: 'Please report it with the browser and GPU you use.',
      };
