/** A job of the Lab: it measures on the device that training uses, while nothing trains. */
import { lazily } from '../../base/lazily.ts';
import { Failure, type FailureValue } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import type { LabJob, LabProgress } from '../api.ts';
import type { Hold } from '../exclusive-gpu.ts';
import type { Services } from '../services.ts';

const measuring = lazily(() => import('./measuring.ts'));

/** The context of a job. */
export interface Bench {
  device: Device;
  signal: AbortSignal;
  /** Opens a device of the CPU engine. */
  openCpu(): Promise<Device>;
  report(progress: LabProgress): void;
}

/** The services that jobs use. */
export type JobServices = Pick<Services, 'supply' | 'tuningResults'> & {
  engines: Pick<Services['engines'], 'open'>;
  gpu: Pick<Services['gpu'], 'hold'>;
  events: Pick<Services['events'], 'send'>;
  runs: Pick<Services['runs'], 'pause'>;
};

/**
 * Starts a job, and returns immediately: events report on it. A run that trains is paused, and stays paused.
 * @param number the job's number, which its events contain
 * @throws Failure `busy` while the GPU is measured
 */
export function startJob(services: JobServices, number: number, job: LabJob): void {
  const hold = services.gpu.hold('lab');
  void work(services, hold, job, (progress) =>
    services.events.send({ type: 'lab', job: number, ...progress }),
  );
}

async function work(
  { engines, supply, runs, tuningResults }: JobServices,
  { signal, release }: Hold,
  job: LabJob,
  report: (progress: LabProgress) => void,
): Promise<void> {
  let ending: LabProgress = { step: 'ended', how: 'done' };
  try {
    const { runFindJob, runTuneJob } = await measuring();
    const pausedRun = await runs.pause();
    const bench = { device: await supply.get(), signal, report, openCpu: () => engines.open('cpu') };
    if (job.kind === 'find') await runFindJob(bench, job, pausedRun);
    else await runTuneJob(bench, job, pausedRun, tuningResults);
  } catch (error) {
    if (!signal.aborted) {
      ending = { step: 'ended', how: 'failed', error: failureOf(error) };
      if (!(error instanceof Failure)) throw error;
    }
  } finally {
    if (signal.aborted) ending = { step: 'ended', how: 'cancelled' };
    release();
    report(ending);
  }
}

const failureOf = (error: unknown): FailureValue =>
  error instanceof Failure
    ? error.value
    : {
        code: 'unsupported',
        message: `Internal error: ${error instanceof Error ? error.message : String(error)}`,
        advice: 'Please report it, with your browser and device.',
      };
