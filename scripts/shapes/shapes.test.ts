import { describe, expect, it } from 'vitest';
import { testDrawnSet } from '../testing/drawn-set.ts';
import { linearAccuracy } from '../testing/linear.ts';
import { OUTLINES } from './outlines.ts';

describe('the synthetic shapes', async () => {
  const dataset = await testDrawnSet('shapes', 3e6);

  it('have the names of their classes', () => {
    expect(dataset.classes).toEqual(OUTLINES.map(({ name }) => name));
  });

  // Guessing gives 10 %, and longer training does not help: 13 % after twelve epochs.
  it('are far too hard for a linear model', () => {
    const accuracy = linearAccuracy(dataset, { epochs: 3, rate: 0.01 });
    expect(accuracy).toBeLessThan(0.2);
  });
});
