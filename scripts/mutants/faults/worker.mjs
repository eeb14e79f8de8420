/** Faults of the worker, and of what it shares with the command line. */
import { beside, of } from '../mutant.mjs';

const AGAIN = 'src/train/compute-again';
const UNMET = 'src/app/screens/lessons/handed-in/unmet.ts';
const KERNELS = 'src/worker/kernels/';
const JUDGE = 'src/kernel-lessons/judge.ts';

export default [
  beside(
    'src/worker/events.ts',
    'this.flush();\n    this.target?.postMessage(event, transfer);',
    'this.target?.postMessage(event, transfer);',
  ),
  beside('src/worker/events.ts', 'if (runId !== this.runId) this.flush();', ''),
  beside('src/worker/events.ts', 'this.rows = [];\n    this.sentAt', 'this.sentAt'),
  beside('src/worker/events.ts', 'if (wait <= 0) this.flush();\n    else this', 'this'),
  beside('src/worker/exclusive-gpu.ts', 'release();\n      if (paused)', 'if (paused)'),
  beside('src/worker/exclusive-gpu.ts', 'if (paused) await', 'await'),
  beside('src/worker/exclusive-gpu.ts', 'this.requireIdle();\n    const abort', 'const abort'),
  beside('src/worker/exclusive-gpu.ts', 'if (this.current !== held) return;', 'this.current = undefined;'),
  beside('src/base/ending.ts', 'if (this.happened) return;', ''),
  beside('src/base/ending.ts', 'this.waits.delete(cut);', ''),
  beside('src/data/selection.ts', 'const all = dataset.all ?? dataset.train;', 'const all = dataset.train;'),
  beside('src/data/selection.ts', 'label + 1 + random', 'label + random'),
  beside('src/data/selection.ts', 'const wrong = labels.slice();', 'const wrong = labels;'),
  beside('src/run/stops.ts', 'choosingAccuracy(last)', 'last.testAccuracy'),
  beside('src/base/portable-math.ts', 'if (x > Math.PI / 2) return -cos(Math.PI - x + BEYOND_PI);', ''),
  beside('src/base/portable-math.ts', '(s * sum + k * LN2[1])', 's * sum'),
  beside('src/base/portable-math.ts', 'if (rest % 2 === 1) product', 'product'),
  beside('src/app/lessons/checks.ts', 'const setup = ofRun ? run : next;', 'const setup = next;'),
  beside(
    'src/app/lessons/checks.ts',
    'value === undefined) return false',
    'value === undefined) return true',
  ),
  beside('src/app/lessons/checks.ts', 'atLeast !== undefined && atMost === undefined', 'true'),
  beside(
    'src/run/handed-in/verdict.ts',
    "engine === 'cpu' ? Object.is(a, b) : ",
    "engine === 'cpu' ? a === b : ",
  ),
  beside(UNMET, 'at !== undefined && mayPass', 'at === undefined || mayPass'),
  beside(UNMET, ' || again.rows.length < run.steps', ''),
  beside(UNMET, "engine === 'gpu' ? judged.map", "engine === 'cpu' ? judged.map"),
  of(AGAIN, 'src/train/compute-again.ts', 'given.start !== undefined', 'false'),
  of(AGAIN, 'src/train/compute-again.ts', 'if (here !== given.images)', 'if (false)'),
  of(AGAIN, 'src/train/compute-again.ts', 'if (own !== checksum)', 'if (false)'),
  of(
    AGAIN,
    'src/train/compute-again.ts',
    "verdict.how === 'differs' && version !== VERSION",
    'version !== VERSION',
  ),
  of(KERNELS, JUDGE, 'words[first] === POISON', 'words[first] === 0'),
  of(KERNELS, JUDGE, 'rates[engine]?.sizes ?? []', '[]'),
  of(KERNELS, JUDGE, '.fill(POISON)', ''),
];
