import { expect, test } from 'vitest';
import { lanesOf, layerSpans } from './lanes.ts';
import { profile } from './testing.ts';

test('consecutive kernels of a layer and pass are one span', () => {
  const [batch, first, second] = profile.kernels;
  const kernels = [
    { ...batch, layer: undefined, pass: 'data' as const },
    first,
    { ...second, layer: 'conv2' },
  ];
  const spans = profile.spans.filter(({ kernel = -1 }) => kernel < 3);
  expect(layerSpans({ kernels, spans })).toMatchObject([
    { name: 'batch', label: 'batch', kind: 'data', start: 8, ms: 1, kernel: 0 },
    { name: 'conv2 forward', label: 'conv2', kind: 'forward', start: 9, ms: 5, kernel: 1 },
  ]);
});

const sum = (spans: readonly { ms: number }[]) => spans.reduce((total, { ms }) => total + ms, 0);

test('calls, layers and kernels have a lane each; kernels of an earlier profile begin where these do', () => {
  const later = { ...profile, spans: profile.spans.map((span) => ({ ...span, start: span.start + 100 })) };
  expect(lanesOf(profile).map(({ title, spans }) => [title, sum(spans)])).toEqual([
    ['Encoding', 2],
    ['Submit, queue', 6],
    ['Layers', 210],
    ['Kernels', 210],
    ['Read-back', 3],
  ]);
  const [, queue, , kernels, earlier] = lanesOf(profile, later);
  expect(queue.spans.map(({ kind }) => kind)).toEqual(['cpu', 'waiting']);
  expect(earlier.title).toBe('Kernels, earlier profile');
  expect(earlier.spans).toEqual(kernels.spans);
});
