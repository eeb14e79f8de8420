/**
 * Trains for a long time while the page is used: the memory of the page, buffers, nodes and listeners do not grow.
 * WGRAD_SOAK_MINUTES says how long.
 */
import type { CDPSession, Page } from '@playwright/test';
import { growth } from '../../scripts/trend.mjs';
import { expect, test } from '../fixtures.ts';
import { RunPage } from '../run.ts';
import { expectScreen } from '../screens.ts';

const MINUTES = Number(process.env['WGRAD_SOAK_MINUTES'] ?? 30);
const SAMPLE_EVERY_MS = Math.max(5000, (MINUTES * 60_000) / 120);
/** Until then, screens load for the first time and curves fill. */
const WARM_UP = 0.25;

interface Sample {
  minute: number;
  objectsMiB: number;
  nativeMiB: number;
  codeMiB: number;
  buffers: number;
  nodes: number;
  listeners: number;
}

/** A heap snapshot, as far as it is read: https://developer.chrome.com/docs/devtools/memory-problems/heap-snapshot-schema */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/**
 * What the page holds, in MiB: objects of JavaScript; what the browser holds for them, such as nodes and the bytes of arrays;
 * and code. What the browser calls the heap is objects, code and garbage that one collection leaves.
 */
async function held(cdp: CDPSession): Promise<Pick<Sample, 'objectsMiB' | 'nativeMiB' | 'codeMiB'>> {
  let text = '';
  const take = ({ chunk }: { chunk: string }) => void (text += chunk);
  cdp.on('HeapProfiler.addHeapSnapshotChunk', take);
  await cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  cdp.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot, nodes } = JSON.parse(text) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const [native, code] = [types[0].indexOf('native'), types[0].indexOf('code')];
  const found = { objectsMiB: 0, nativeMiB: 0, codeMiB: 0 };
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = nodes[at + type];
    const key = kind === native ? 'nativeMiB' : kind === code ? 'codeMiB' : 'objectsMiB';
    found[key] += nodes[at + size] / 2 ** 20;
  }
  return found;
}

async function sample(page: Page, cdp: CDPSession, minute: number): Promise<Sample> {
  const memory = await held(cdp);
  const { nodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters');
  const { buffers } = await page.evaluate<{ buffers: number }>('wgrad.ledger()');
  return { minute, ...memory, buffers, nodes, listeners };
}

test(`${MINUTES} minutes of training: memory, buffers, nodes and listeners stay`, async ({ page }) => {
  test.setTimeout((MINUTES + 5) * 60_000);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.enable');
  const run = await RunPage.open(page);
  await run.set('Batch size', '50');
  await run.press('Train');
  await run.reaches(1);
  const start = Date.now();
  const minute = () => (Date.now() - start) / 60_000;
  const samples: Sample[] = [];
  while (minute() < MINUTES) {
    for (const name of ['Build', 'Inspect', 'Runs', 'Train']) {
      await page
        .getByRole('navigation', { name: 'Screens' })
        .getByRole('link', { name, exact: true })
        .click();
      await expectScreen(page);
    }
    await run.draw([
      [0.5, 0.2],
      [0.5, 0.8],
    ]);
    await page.waitForTimeout(SAMPLE_EVERY_MS);
    samples.push(await sample(page, cdp, minute()));
  }
  await expect(run.value('Status')).toHaveText('Training');
  console.log(`${await run.read('Step')} steps in ${minute().toFixed(1)} minutes`);
  const later = samples.filter(({ minute: at }) => at > WARM_UP * MINUTES);
  const grown: string[] = [];
  for (const key of ['objectsMiB', 'nativeMiB', 'codeMiB', 'buffers', 'nodes', 'listeners'] as const) {
    const { text, grew } = growth(
      key,
      later.map((one) => [one.minute, one[key]]),
    );
    console.log(text);
    // V8 keeps compiling what runs often, for as long as the page is used.
    if (grew && key !== 'codeMiB') grown.push(text);
  }
  expect(grown).toEqual([]);
});
