/** No launch takes more workspace than it may, and what cannot run with so little says so. */
import { expect, test } from 'vitest';
import { count } from '../../../base/testing/tier.ts';
import { asIfOn } from '../../testing/gpu.ts';
import type { Device } from '../../../gpu/device.ts';
import { settingOf } from '../../testing/conv.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import { convAlgorithms } from './algorithms/index.ts';
import { inLayout, LAYOUTS } from './layout.ts';
import { convProblem, DIRECTIONS, problemKey } from './problem.ts';
import { launchesOf, usualWorkspace, whyNot } from './run.ts';

/** Bytes, from none to more than any of the problems needs at once. */
const LIMITS = [0, 1000, 20_000, 50_000, 200_000, 2 ** 21];

/** Of the awkward problems, `npm test` takes one in six. */
const EVERY = count(6, 6, 1);

const PROBLEMS = [
  ...CONV_PROBLEMS.filter((_, i) => i % EVERY === 0).map(({ problem }) => problem),
  convProblem({ N: 64, C: 16, H: 14, W: 14, K: 24, R: 3, S: 3, padding: [1, 1] }),
  convProblem({ N: 8, C: 8, H: 28, W: 28, K: 16, R: 5, S: 5, stride: [2, 2], padding: [2, 2] }),
  convProblem({ N: 256, C: 3, H: 6, W: 6, K: 300, R: 1, S: 1 }),
];

test.each(['the processor', 'SwiftShader', 'a GPU'] as const)('as on %s', async (device) => {
  let launches = 0;
  const judge = async () => {
    for (const problem of PROBLEMS.flatMap((one) => LAYOUTS.map((layout) => inLayout(one, layout)))) {
      for (const workspace of LIMITS) {
        const setting = { ...(await settingOf(problem)), workspace };
        for (const algorithm of convAlgorithms.all()) {
          for (const direction of DIRECTIONS) {
            const where = `${algorithm.name} ${direction}, ${problemKey(problem)}, ${workspace} bytes`;
            const reason = whyNot(algorithm, setting, direction);
            const found = reason === undefined ? launchesOf(algorithm, setting, direction) : [];
            launches += found.length;
            for (const { name, workspaceBytes } of found)
              if (workspaceBytes > workspace) throw new Error(`${where}: ${name} takes ${workspaceBytes}`);
            if (reason === undefined) expect(found.length, where).toBeGreaterThan(0);
            else expect(reason, where).toMatch(/^[a-z0-9].{10,}[^.]$/s);
          }
        }
      }
    }
  };
  await (device === 'the processor' ? judge() : asIfOn(device, judge));
  expect(launches).toBeGreaterThan(1000);
});

test('by default, GPUs that bind large buffers may take more of it', () => {
  const MiB = 2 ** 20;
  const usual = (binding: number, onProcessor = false) =>
    usualWorkspace({ onProcessor, limit: () => binding } as unknown as Device) / MiB;
  expect([128 * MiB, 2 ** 30, 2 ** 31 - 4, 2 ** 32 - 4, 2 ** 40].map((one) => usual(one))).toEqual([
    64, 128, 256, 512, 512,
  ]);
  expect(usual(2 ** 32, true)).toBe(64);
});
