import { describe, expect, test } from 'vitest';
import type { GpuBuffer } from '../gpu/ledger.ts';
import type { DispatchSpec, Storage, Tensor } from './dispatch.ts';
import { livenessOf, type Recorded } from './liveness.ts';
import { peakOf } from './memory.ts';
import { recompute } from './recompute.ts';

const KIB = 1024;

/** A tensor of so many KiB, outside the plan if `home` is given. */
const tensor = (label: string, kib: number, home?: GpuBuffer): Tensor => {
  const bytes = kib * KIB;
  const storage: Storage = { label, bytes, ...(home ? { home: { buffer: home, offset: 0, bytes } } : {}) };
  return { label, shape: [bytes / 4], type: 'f32', storage };
};
const outside = (label: string): GpuBuffer => ({ label, bytes: KIB }) as GpuBuffer;

/** A dispatch that reads and writes these tensors. */
function dispatch(
  label: string,
  part: DispatchSpec['part'],
  read: readonly Tensor[],
  written: readonly Tensor[],
): Recorded {
  const named = [
    ...read.map((t, i) => [`r${i}`, t] as const),
    ...written.map((t, i) => [`w${i}`, t] as const),
  ];
  return {
    spec: {
      label,
      kernel: { shader: 'none' },
      workgroups: [1, 1, 1],
      tensors: Object.fromEntries(named),
      ...(part ? { part } : {}),
    },
    kernel: {
      interface: {
        bindings: named.map(([name], binding) => ({
          group: 0,
          binding,
          name,
          type: 'array<f32>',
          kind: name.startsWith('w') ? ('read_write' as const) : ('read' as const),
        })),
        structs: new Map(),
      },
    },
  };
}

interface Chain {
  steps: Recorded[];
  outputs: Tensor[];
}

/** A chain of layers, forward and backward. With statistics, they change memory outside the plan. */
function chain(length: number, { statistics }: { statistics?: GpuBuffer } = {}): Chain {
  const steps: Recorded[] = [];
  const outputs = [tensor('images', 1)];
  const means: Tensor[] = [];
  for (let i = 0; i < length; i++) {
    const part = { pass: 'forward', layer: `l${i}` } as const;
    outputs.push(tensor(`y${i}`, 8));
    means.push(tensor(`mean${i}`, 1));
    const running = statistics ? [tensor('running', 1, statistics)] : [];
    steps.push(dispatch(`l${i} statistics`, part, [outputs[i]], [means[i], ...running]));
    steps.push(dispatch(`l${i}`, part, [outputs[i], means[i]], [outputs[i + 1]]));
  }
  let gradient = tensor('dy', 8);
  steps.push(dispatch('loss', { pass: 'loss' }, [outputs[length]], [gradient]));
  for (let i = length - 1; i >= 0; i--) {
    const part = { pass: 'backward', layer: `l${i}` } as const;
    const next = tensor(`dx${i}`, 8);
    steps.push(dispatch(`l${i} backward`, part, [outputs[i], means[i], gradient], [next]));
    gradient = next;
  }
  return { steps, outputs };
}

const none = new Set<Storage>();
const peak = (steps: readonly Recorded[]) => peakOf(livenessOf(steps, none).lifetimes);
const within = ({ steps }: Chain, limit: number) => recompute(steps, none, limit, peak);
const again = (steps: readonly Recorded[]) =>
  steps.filter(({ spec }) => spec.recomputed).map(({ spec }) => spec.label);

/** Runs the dispatches as if each wrote the sum of its inputs and its layer's number; returns each layer's gradient. */
function run(steps: readonly Recorded[]): Record<string, string> {
  const memory = new Map<Storage, string>();
  const results: Record<string, string> = {};
  for (const { spec, kernel } of steps) {
    const values = kernel.interface.bindings
      .filter(({ kind }) => kind === 'read')
      .map(({ name }) => memory.get(spec.tensors[name].storage) ?? 'image');
    const value = `${spec.label.replace(' again', '')}(${values.join()})`;
    for (const { name, kind } of kernel.interface.bindings)
      if (kind === 'read_write') memory.set(spec.tensors[name].storage, value);
    if (!spec.recomputed) results[spec.label] = value;
  }
  return results;
}

test('a step that fits does not change', () => {
  const one = chain(6);
  expect(within(one, Infinity)).toBe(one.steps);
  expect(within(one, peak(one.steps))).toBe(one.steps);
});

test.each([0.9, 0.7, 0.5, 0])('at %f of its memory a chain computes the same', (share) => {
  const one = chain(16);
  const limit = share * peak(one.steps);
  const steps = within(one, limit);
  if (share > 0) expect(peak(steps)).toBeLessThanOrEqual(limit);
  expect(again(steps).length).toBeGreaterThan(0);
  expect(run(steps)).toEqual(run(one.steps));
});

test('the memory of a chain grows with the square root of its length', () => {
  const least = [16, 64].map((length) => peak(within(chain(length), 0)));
  // Outputs of 8 KiB and means of 1 KiB: if all are saved, four times the length takes four times the memory.
  expect(least[1]).toBeLessThan(2.6 * least[0]);
  expect(least[1]).toBeLessThan(0.4 * peak(chain(64).steps));
});

test('less is recomputed if more memory is available', () => {
  const one = chain(16);
  const counts = [0.9, 0.7, 0.5].map((share) => again(within(one, share * peak(one.steps))).length);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect(counts[0]).toBeLessThan(counts[2]);
});

describe('memory outside the plan', () => {
  test('is never changed twice: what the same dispatch writes is saved', () => {
    const one = chain(8, { statistics: outside('statistics') });
    const steps = within(one, 0);
    expect(again(steps).length).toBeGreaterThan(0);
    expect(again(steps).filter((label) => label.includes('statistics'))).toEqual([]);
    expect(run(steps)).toEqual(run(one.steps));
  });

  test('is read again only if it has not changed', () => {
    const [weights, part] = [outside('weights'), { pass: 'forward', layer: 'a' } as const];
    const wide = (label: string) => tensor(label, 64);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(wide);
    const forward = [
      dispatch('a', part, [tensor('images', 1)], [a]),
      dispatch('b', { ...part, layer: 'b' }, [a, tensor('weights', 1, weights)], [b]),
      dispatch('c', { ...part, layer: 'c' }, [b], [c]),
      dispatch('d', { ...part, layer: 'd' }, [c], [d]),
    ];
    const changes = dispatch('update', { pass: 'update' }, [d], [tensor('weights', 1, weights)]);
    const back = [d, c, b, a].map((t, i) =>
      dispatch(`back ${i}`, { pass: 'backward' }, [t], [tensor('g', 1)]),
    );
    const early = recompute([...forward, changes, ...back], none, 0, peak);
    const late = recompute([...forward, ...back, changes], none, 0, peak);
    expect(again(late)).toContain('b again');
    expect(again(early)).not.toContain('b again');
  });
});
