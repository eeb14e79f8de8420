import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkImports, checkMirror, checkProject, ROOMS } from './check-rooms.mjs';

const check = (file, text) =>
  checkImports(new Map([[file, text]])).map(({ line, message }) => `${line}: ${message}`);

describe('checkImports', () => {
  it.each([
    ['src/base/a.ts', `import { x } from '../gpu/device.ts';`],
    ['src/gpu/a.ts', `import type { Plan } from '../engine/plan.ts';`],
    ['src/engine/ops/conv/a.ts', `import { x } from '../../../models/lenet5.ts';`],
    ['src/models/a.ts', `import { x } from '../gpu/device.ts';`],
    ['src/train/a.ts', `import { readIdx } from '../data/formats/idx.ts';`],
    ['src/data/a.ts', `export * from '../storage/cache.ts';`],
    ['src/storage/a.ts', `await import('../gpu/device.ts');`],
    ['src/worker/a.ts', `import '../cli/main.ts';`],
    ['src/worker/a.ts', `import '../node/gpu.ts';`],
    ['src/engine/a.ts', `import { nodeGpu } from '../node/gpu.ts';`],
    ['src/node/a.ts', `import { text } from '../cli/arguments.ts';`],
    ['src/cli/a.ts', `import {\n  x,\n  y,\n} from '../worker/main.ts';`],
    ['src/app/a.tsx', `import { openDevice } from '../gpu/device.ts';`],
    ['src/app/screens/run/a.tsx', `import { start } from '../../../worker/session.ts';`],
    ['src/app/a.tsx', `import { type Plan } from '../engine/plan.ts';`],
    ['src/app/a.tsx', `export * from '../data/dataset.ts';`],
    ['src/worker/lab/api.ts', `import { find } from '../../engine/find.ts';`],
    ['src/worker/lab/api.ts', `import type { Bench } from './job.ts';`],
    ['src/worker/lab/api.ts', `import type { App } from '../../app/App.tsx';`],
    ['src/worker/api.ts', `import type { Session } from './session.ts';`],
    ['src/app/a.tsx', `import type { X } from '../worker/main.ts';`],
    ['src/engine/a.ts', `import { x } from './b.test.ts';`],
    ['src/engine/a.ts', `import { x } from './testing/gpu.ts';`],
    ['src/engine/a.ts', `import x from '../../package.json';`],
    ['src/kitchen/a.ts', `import { x } from '../base/assert.ts';`],
  ])('refuses in %s: %s', (file, text) => {
    expect(check(file, text)).toHaveLength(1);
  });

  it.each([
    ['src/engine/a.ts', `import { assert } from '../base/assert.ts';\nimport { x } from '../gpu/device.ts';`],
    ['src/train/a.ts', `import type { Dataset } from '../data/dataset.ts';`],
    [
      'src/app/screens/a.tsx',
      `import type { WorkerApi } from '../../worker/api.ts';\nimport { x } from './b.ts';`,
    ],
    ['src/app/a.tsx', `import type { Plan } from '../engine/plan.ts';`],
    ['src/app/screens/lab/a.ts', `import type { LabApi } from '../../../worker/lab/api.ts';`],
    ['src/worker/lab/api.ts', `import type { Plan } from '../../engine/plan.ts';`],
    ['src/worker/api.ts', `export type * from './lab/api.ts';`],
    ['src/app/client.ts', `new Worker(new URL('../worker/main.ts', import.meta.url));`],
    ['src/base/a.ts', `// import { x } from '../gpu/device.ts';\n/* import '../app/a.ts'; */`],
    ['src/base/a.test.ts', `import { x } from '../node/gpu.ts';`],
    ['src/cli/a.ts', `import { nodeGpu } from '../node/gpu.ts';`],
    ['src/node/a.ts', `import { openDevice } from '../gpu/device.ts';`],
    ['src/cli/a.ts', `import { readFileSync } from 'node:fs';\nimport text from './a.txt?raw';`],
  ])('allows in %s: %s', (file, text) => {
    expect(check(file, text)).toEqual([]);
  });

  it('reports place and reason', () => {
    const text = `import { assert } from './assert.ts';\n\nimport { x } from '../gpu/device.ts';\n`;
    expect(check('src/base/a.ts', text)).toEqual([
      '3: base may not import src/gpu/device.ts (it may import nothing)',
    ]);
  });

  it('keeps GPUDevice in src/gpu', () => {
    const text = `const open = (device: GPUDevice) => device;`;
    expect(check('src/engine/a.ts', text)).toEqual(['1: only src/gpu may name GPUDevice']);
    expect(check('src/gpu/a.ts', text)).toEqual([]);
    expect(check('src/engine/a.ts', '// a GPUDevice')).toEqual([]);
  });

  it('allows imports in one direction only', () => {
    const reaches = (from, to) =>
      Boolean(ROOMS[from]?.imports.some((room) => room === to || reaches(room, to)));
    for (const room of Object.keys(ROOMS)) expect(reaches(room, room), room).toBe(false);
  });
});

describe('checkMirror', () => {
  const sources = ['src/engine/ops/conv/algorithms/direct/index.ts', 'src/engine/optimizers/sgd.ts'];

  it('finds the counterpart of a shader folder', () => {
    expect(checkMirror(['conv', 'conv/direct', 'optimizers', 'optimizers/sgd', 'common'], sources)).toEqual(
      [],
    );
  });

  it('reports a folder without one', () => {
    expect(checkMirror(['direct/conv', 'winograd'], sources).map(({ file }) => file)).toEqual([
      'shaders/direct/conv',
      'shaders/winograd',
    ]);
  });
});

describe('this project', () => {
  it('follows the rules', () => {
    expect(checkProject(fileURLToPath(new URL('..', import.meta.url)))).toEqual([]);
  });

  it('has a diagram whose arrows lead to everything that a room may import, and nowhere else', () => {
    const text = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
    const arrows = [...text.matchAll(/^ {2}([\w-]+)(?:\[.*\])? --?\.?-?>(?:\|.*\|)? ([\w-]+)/gm)].map(
      ([, from, to]) => [from, to],
    );
    const reached = (from, seen = new Set()) => {
      for (const [start, end] of arrows) if (start === from && !seen.has(end)) reached(end, seen.add(end));
      return seen;
    };
    for (const [room, { imports }] of Object.entries(ROOMS))
      expect([...reached(room)], room).toEqual(expect.arrayContaining(imports));
    const drawn = arrows.filter(([room]) => room in ROOMS && room !== 'app').filter(([, to]) => to in ROOMS);
    expect(drawn.filter(([room, to]) => !ROOMS[room].imports.includes(to))).toEqual([]);
  });
});
