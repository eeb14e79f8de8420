/** A job of the Lab: it measures on the device that training uses, while nothing trains. */
import { Failure, type FailureValue } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import type { LabJob, LabProgress } from '../api.ts';
import type { Services } from '../services.ts';
import { runFindJob } from './find-job.ts';
import { runTuneJob } from './tune-job.ts';

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
  gpu: Pick<Services['gpu'], 'run' | 'requireIdle'>;
  events: Pick<Services['events'], 'send'>;
};

/**
 * Starts a job, and returns immediately: events report on it. A run that trains is paused for it, then resumes.
 * @param number the job's number, which its events contain
 * @throws Failure `busy` while the GPU is measured
 */
export function startJob(services: JobServices, number: number, job: LabJob): void {
  services.gpu.requireIdle();
  void work(services, job, (progress) => services.events.send({ type: 'lab', job: number, ...progress }));
}

async function work(
  { engines, gpu, supply, tuningResults }: JobServices,
  job: LabJob,
  report: (progress: LabProgress) => void,
): Promise<void> {
  let wasCancelled = false;
  let ending: LabProgress = { step: 'ended', how: 'done' };
  try {
    await gpu.run('lab', async (signal) => {
      try {
        const bench = { device: await supply.get(), signal, report, openCpu: () => engines.open('cpu') };
        if (job.kind === 'find') await runFindJob(bench, job);
        else await runTuneJob(bench, job, tuningResults);
      } finally {
        wasCancelled = signal.aborted;
      }
    });
  } catch (error) {
    ending = { step: 'ended', how: 'failed', error: failureOf(error) };
    if (!wasCancelled && !(error instanceof Failure)) throw error;
  } finally {
    report(wasCancelled ? { step: 'ended', how: 'cancelled' } : ending);
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
