/** Notices a GPU that works on one task for five seconds: one that is very large, or never ends. */
import type { Device } from './device.ts';

const LOOK_EVERY_MS = 500;
/** So many looks in a row find the work of the first one unfinished. */
const LOOKS = 9;

/**
 * Watches a device until it is lost. Looks are counted, and not the time: a thread that was busy itself looks less often.
 * @param report called when the device becomes busy, and when it is no longer
 */
export function watchBusy(
  { queue, lost }: Pick<Device, 'queue' | 'lost'>,
  report: (busy: boolean) => void,
): void {
  let waiting = false;
  let looks = 0;
  const wait = async () => {
    waiting = true;
    await queue.onSubmittedWorkDone().catch(() => undefined);
    waiting = false;
    if (looks >= LOOKS) report(false);
    looks = 0;
  };
  const timer = setInterval(() => {
    if (!waiting) void wait();
    else if (++looks === LOOKS) report(true);
  }, LOOK_EVERY_MS);
  void lost.then(() => clearInterval(timer));
}
