/** Faults of the worker, and of what it shares with the command line. */
import { beside, of } from '../mutant.mjs';

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
  beside('src/train/stops.ts', 'choosingAccuracy(last)', 'last.testAccuracy'),
  of(KERNELS, JUDGE, 'words[first] === POISON', 'words[first] === 0'),
  of(KERNELS, JUDGE, 'rates[engine]?.sizes ?? []', '[]'),
  of(KERNELS, JUDGE, '.fill(POISON)', ''),
];
