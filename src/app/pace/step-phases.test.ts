import { expect, test } from 'vitest';
import { phasesOf } from './step-phases.ts';

const row = {
  step: 1200,
  loss: 2.25,
  accuracy: 0.125,
  imagesPerSecond: 1,
  learningRate: 0.0012345,
  gradientNorm: 1,
};
const sgd = { batchSize: 64, optimizer: 'sgd', momentum: 0.9 } as const;

test('a step has three phases, with its values', () => {
  const [forward, backward, update] = phasesOf(row, { loss: 2.5 }, sgd);
  expect(forward).toMatch(/^Forward: step 1,200 ran 64 images .* 12\.5 % .* was 2\.25, 0\.25 less than/);
  expect(backward).toMatch(/^Backward/);
  expect(update).toMatch(/^Update: SGD .* its gradient, those of earlier steps and .* rate 0\.00123\./);
});

test('the first step has no previous values, and plain SGD none of earlier steps', () => {
  const [forward, , update] = phasesOf(row, undefined, { batchSize: 1, optimizer: 'sgd', momentum: 0 });
  expect(forward).toMatch(/ran 1 image through .* was 2\.25\.$/);
  expect(update).not.toContain('earlier');
  const [, , adam] = phasesOf(row, undefined, { batchSize: 1, optimizer: 'adam', momentum: 0 });
  expect(adam).toContain('earlier');
});
