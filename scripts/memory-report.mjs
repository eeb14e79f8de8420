// Goes before a program (`node --import`) and tells the process that started it what memory it holds.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

async function report() {
  // The first one finds buffers whose memory is freed a moment later.
  for (let i = 0; i < 2; i++) {
    collectGarbage();
    await new Promise((done) => setTimeout(done, 100));
  }
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  process.send?.({
    objects: heapUsed,
    buffers: external,
    // Node, Dawn, the GPU's driver, and what they have allocated.
    'outside of JavaScript': rss - heapTotal - external,
    'the whole': rss,
  });
}
setInterval(() => void report(), Number(process.env.WGRAD_REPORT_MS)).unref();
