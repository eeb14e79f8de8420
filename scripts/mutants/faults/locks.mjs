/** Faults of locks: that a run has one writer, in processes and in tabs. */
import { of } from '../mutant.mjs';

const FILES = 'src/node/files. src/node/place. src/node/read.';
const CHECKPOINTING = 'src/cli/checkpointing';
const RUN_LOCKS = 'src/storage/run-locks';
const RUNS = 'src/worker/runs/store';

export default [
  of('src/node/lock', 'src/node/owner.ts', "start === '0' || start === found.start", 'true'),
  of('src/node/lock', 'src/node/owner.ts', "if (found?.state === 'Z') return false;", ''),
  of('src/node/lock', 'src/node/owner.ts', 'if (machine !== MACHINE) return undefined;', ''),
  of(FILES, 'src/node/files.ts', "-'.part'.length)) === false", "-'.part'.length)) !== true"),
  of('src/node/lock', 'src/node/lock.ts', 'if (!other && claimed) break;', 'if (!other) break;'),
  of('src/node/lock', 'src/node/lock.ts', 'if (claimed && other.name < name)', 'if (false)'),
  of('src/node/lock', 'src/node/lock.ts', 'beat.mtimeMs <= STALE_MS', 'beat.mtimeMs <= Infinity'),
  of('src/node/lock', 'src/node/lock.ts', 'beat.mtimeMs <= STALE_MS', 'beat.mtimeMs <= 0'),
  of(
    'src/node/lock',
    'src/node/lock.ts',
    'const { path: target } = await placeOf(path);',
    'const target = path;',
  ),
  of(
    'src/node/lock',
    'src/node/lock.ts',
    'void beat().catch(() => undefined), BEAT_MS',
    'undefined, BEAT_MS',
  ),
  of('src/node/lock', 'src/node/lock.ts', '(size) => size > 0', '(size) => size >= 0'),
  of(CHECKPOINTING, 'src/cli/checkpointing.ts', "replace(/(\\.previous)+$/, '')", 'trim()'),
  of(CHECKPOINTING, 'src/cli/checkpointing.ts', 'await lock.renew();', ''),
  of(CHECKPOINTING, 'src/cli/commands/train.ts', 'await lock.release();', ''),
  of(RUN_LOCKS, 'src/storage/run-locks.ts', 'while (this.changing.size > 0)', 'while (false)'),
  of(RUN_LOCKS, 'src/storage/run-locks.ts', '...this.changing.keys()', ''),
  of(RUN_LOCKS, 'src/storage/run-locks.ts', '[...before, ', '['),
  of(RUN_LOCKS, 'src/storage/run-locks.ts', 'while (this.changing.has(id)) await this.changing.get(id);', ''),
  of(
    'src/storage/opfs',
    'src/storage/opfs.ts',
    'if (!opened && isNotFound(error))',
    'if (isNotFound(error))',
  ),
  of('src/storage/opfs', 'src/storage/opfs.ts', 'again === READS', 'again > 0'),
  of('src/storage/opfs', 'src/storage/opfs.ts', '.catch(unlessNotFound)', ''),
  of(RUNS, 'src/worker/runs/store.ts', ".filter(({ live }) => live !== 'elsewhere')", ''),
  of(
    RUNS,
    'src/worker/runs/tabs.ts',
    "{ live: held ? 'here' : 'elsewhere' }",
    "{ live: held ? 'here' : null }",
  ),
  of(RUNS, 'src/worker/runs/tabs.ts', 'await this.takeOver(id);\n      this.index', 'this.index'),
  of(RUNS, 'src/worker/runs/trash.ts', 'if (!record || !isOver(record)) return;', ''),
  of('src/app/journal', 'src/app/journal/record.ts', "live === 'elsewhere'", 'false'),
  of('src/app/heartbeat', 'src/app/heartbeat.ts', '!ended && missing', 'missing'),
];
