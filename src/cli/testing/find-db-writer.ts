/** A process that records results in a find-db: FILE, the first problem's number, how many. */
import { convProblem } from '../../engine/ops/conv/problem.ts';
import type { Device } from '../../gpu/device.ts';
import { openTuningResults } from '../tuning-results.ts';

const [file, first, many] = process.argv.slice(2);
const device = {
  adapter: { vendor: 'v', architecture: 'a', description: 'd', driver: '' },
  kernels: { version: 'k' },
} as unknown as Device;
const db = await openTuningResults(file);
for (let i = 0; i < Number(many); i++) {
  const problem = convProblem({ N: 1 + Number(first) + i, C: 3, H: 8, W: 8, K: 4, R: 3, S: 3 });
  const nothing = { tried: [], absent: [], ties: [], unclear: [], elapsedMs: 1 };
  await db.record(device, { problem, direction: 'fprop', number: 'f32', workspace: 7, ...nothing });
}
