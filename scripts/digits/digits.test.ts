import { describe, expect, it } from 'vitest';
import { testDrawnSet } from '../drawn-set.ts';
import { linearAccuracy } from '../linear.ts';
import { drawImages, drawLabels, TEST, TRAIN } from './set.ts';

describe('the synthetic digits', async () => {
  const dataset = await testDrawnSet('digits', 4e6, {
    train: TRAIN,
    test: TEST,
    labels: drawLabels,
    images: drawImages,
  });

  it('are too hard for a linear model, but better than chance', () => {
    const accuracy = linearAccuracy(dataset, { epochs: 20, rate: 0.05 });
    expect(accuracy).toBeGreaterThan(0.6);
    expect(accuracy).toBeLessThan(0.9);
  }, 60_000);
});
