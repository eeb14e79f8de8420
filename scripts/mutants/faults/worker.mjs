/** Faults of the worker, and of what it shares with the command line. */
import { beside, of } from '../mutant.mjs';

const RECOMPUTE = 'src/train/recompute-run';
const UNMET = 'src/app/screens/lessons/submissions/unmet.ts';
const RECORDS = 'src/worker/train/records';
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
  beside('src/worker/exclusive-gpu.ts', 'this.current = undefined;', ''),
  of(
    'src/worker/train/runs.gpu',
    'src/worker/train/runs.ts',
    'if (--this.tasks === 0)',
    'if (--this.tasks >= 0)',
  ),
  beside('src/worker/exclusive-gpu.ts', 'this.requireIdle();\n    const abort', 'const abort'),
  beside('src/base/ending.ts', 'if (this.happened) return;', ''),
  beside('src/base/ending.ts', 'this.waits.delete(cut);', ''),
  beside('src/data/selection.ts', 'const all = dataset.all ?? dataset.train;', 'const all = dataset.train;'),
  beside('src/data/selection.ts', 'label + 1 + random', 'label + random'),
  beside('src/data/selection.ts', 'const wrong = labels.slice();', 'const wrong = labels;'),
  beside('src/run/stops.ts', 'choosingAccuracy(last)', 'last.testAccuracy'),
  beside('src/base/portable-math.ts', 'if (x > Math.PI / 2) return -cos(Math.PI - x + BEYOND_PI);', ''),
  beside('src/base/portable-math.ts', '(s * sum + k * LN2[1])', 's * sum'),
  beside('src/base/portable-math.ts', 'if (rest % 2 === 1) product', 'product'),
  beside('src/lessons/checks.ts', 'const setup = ofRun ? run : next;', 'const setup = next;'),
  beside('src/lessons/checks.ts', 'value === undefined) return false', 'value === undefined) return true'),
  beside('src/lessons/checks.ts', 'atLeast !== undefined && atMost === undefined', 'true'),
  beside('src/lessons/verdict.ts', '!Object.is(loss, recomputed[at])', 'loss !== recomputed[at]'),
  beside('src/lessons/verdict.ts', 'Number.isFinite(value) ? value : NaN', 'value'),
  beside(UNMET, 'at !== undefined && mayPass', 'at === undefined || mayPass'),
  beside(UNMET, 'if (recomputed.rows.length < run.steps) return true;', ''),
  of(RECOMPUTE, 'src/train/recompute-run.ts', "engine === 'gpu'", 'false'),
  of(RECOMPUTE, 'src/train/recompute-run.ts', 'start !== undefined', 'false'),
  of(RECOMPUTE, 'src/train/recompute-run.ts', 'if (here !== images)', 'if (false)'),
  of(RECOMPUTE, 'src/train/recompute-run.ts', 'if (!expected?.length)', 'if (!expected)'),
  of(RECOMPUTE, 'src/train/recompute-run.ts', 'if (here !== there)', 'if (false)'),
  of(
    RECOMPUTE,
    'src/train/recompute-run.ts',
    "verdict.how === 'differs' && version !== VERSION",
    'version !== VERSION',
  ),
  of(RECORDS, 'src/worker/train/runs.ts', 'await run.restart(made);', 'await run.restart();'),
  of(
    RECORDS,
    'src/worker/runs/recorder.ts',
    'const config = { ...this.config, record',
    'const config = { ...this.config, ...Object.assign({}, ...this.adjustments), record',
  ),
  of('src/train/adjustments', 'src/train/step-inputs.ts', 'one.step <= Math.max(this.reached, step)', 'true'),
  of('src/cli/records', 'src/cli/resumed-run.ts', 'differs ? withAdjustment', 'false ? withAdjustment'),
  beside('src/run/settings/adjustments.ts', '({ step }) => step < steps', '({ step }) => step <= steps'),
  of(KERNELS, JUDGE, 'words[first] === POISON', 'words[first] === 0'),
  of(KERNELS, JUDGE, 'rates[engine]?.sizes ?? []', '[]'),
  of(KERNELS, JUDGE, '.fill(POISON)', ''),
];
