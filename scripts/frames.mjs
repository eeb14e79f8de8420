/** How long a page's main thread works in each frame. */

const FRAME_US = 1e6 / 60;
/** Longer tasks keep an input waiting: https://web.dev/articles/tbt */
const LONG_MS = 50;

/**
 * Milliseconds of the main thread's work in each sixtieth of a second while `work` runs, sorted, of its longest task, and of its
 * tasks as far as they are longer than 50: by the thread's own clock, so that what else computes on the same cores is not in it.
 * @param page of Playwright, in Chromium
 */
export async function framesDuring(page, work) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  await work();
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const tasksOf = ({ pid, tid }) =>
    events.filter(
      (event) =>
        event.pid === pid &&
        event.tid === tid &&
        event.ph === 'X' &&
        event.tdur !== undefined &&
        event.name.endsWith('RunTask'),
    );
  // The page's renderer is the busiest.
  const [tasks] = events
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(tasksOf)
    .sort((a, b) => b.length - a.length);
  const from = Math.min(...tasks.map(({ ts }) => ts));
  const to = Math.max(...tasks.map(({ ts, dur }) => ts + dur));
  const frames = new Float64Array(Math.ceil((to - from) / FRAME_US));
  for (const { ts, tdur } of tasks) frames[Math.floor((ts - from) / FRAME_US)] += tdur / 1e3;
  const times = tasks.map(({ tdur }) => tdur / 1e3);
  return {
    frames: frames.sort(),
    longest: Math.max(...times),
    blocking: times.reduce((sum, ms) => sum + Math.max(0, ms - LONG_MS), 0),
  };
}

/** @param share 0.99 for the 99th percentile. */
export const percentile = (sorted, share) => sorted[Math.floor(share * (sorted.length - 1))];
