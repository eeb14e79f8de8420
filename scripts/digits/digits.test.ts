import { describe, expect, it } from 'vitest';
import { testDrawnSet } from '../testing/drawn-set.ts';
import { linearAccuracy } from '../testing/linear.ts';

describe('the synthetic digits', async () => {
  const dataset = await testDrawnSet('digits', 4e6);

  it('are too hard for a linear model, but better than chance', () => {
    const accuracy = linearAccuracy(dataset, { epochs: 20, rate: 0.05 });
    expect(accuracy).toBeGreaterThan(0.6);
    expect(accuracy).toBeLessThan(0.9);
  });
});
