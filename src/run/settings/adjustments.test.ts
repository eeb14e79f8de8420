import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../../base/augmentation.ts';
import { actedOn, settingsAt, withAdjustment } from './adjustments.ts';
import { completed } from './rules.ts';

const settings = {
  ...completed({ optimizer: 'sgd', lr: 0.1, weightDecay: 0.5 }),
  augmentation: NO_AUGMENTATION,
};

describe('adjustments', () => {
  const adjustments = [
    { step: 10, lr: 0.2 },
    { step: 20, weightDecay: 0 },
    { step: 30, lr: 0.3 },
  ];

  test('apply from their step on', () => {
    const at = (step: number) => settingsAt(settings, adjustments, step);
    const first = settings;
    expect(at(9)).toEqual(first);
    expect(at(10)).toEqual({ ...first, lr: 0.2 });
    expect(at(29)).toEqual({ ...first, lr: 0.2, weightDecay: 0 });
    expect(at(1e6)).toEqual({ ...first, lr: 0.3, weightDecay: 0 });
  });

  test('treat the augmentation as one setting', () => {
    const [crop, flip] = [parseAugmentation('crop'), parseAugmentation('flip')];
    const run = { ...settings, augmentation: crop };
    const changed = [{ step: 5, augmentation: flip }];
    expect([4, 5].map((step) => settingsAt(run, changed, step).augmentation)).toEqual([crop, flip]);
  });

  test('are in order, one per step', () => {
    const first = withAdjustment([], 5, { lr: 1 });
    expect(first).toEqual([{ step: 5, lr: 1 }]);
    const second = withAdjustment(first, 8, { weightDecay: 0 });
    expect(second).toEqual([
      { step: 5, lr: 1 },
      { step: 8, weightDecay: 0 },
    ]);
    expect(withAdjustment(second, 8, { lr: 2 })).toEqual([
      { step: 5, lr: 1 },
      { step: 8, weightDecay: 0, lr: 2 },
    ]);
  });

  test('turn a setting off and on, also in JSON', () => {
    const made = withAdjustment(withAdjustment([], 5, { patience: 2 }), 8, { patience: undefined });
    const stored = JSON.parse(JSON.stringify(made)) as typeof made;
    expect([4, 5, 8].map((step) => settingsAt(settings, stored, step).patience)).toEqual([
      undefined,
      2,
      undefined,
    ]);
  });

  test('after the last step belong to what comes next', () => {
    expect(actedOn(adjustments, 20)).toEqual(adjustments.slice(0, 1));
    expect(actedOn(adjustments, 21)).toEqual(adjustments.slice(0, 2));
  });

  test('are overridden by a change at an earlier step, and keep the rest', () => {
    expect(withAdjustment(adjustments, 15, { lr: 0.9 })).toEqual([
      { step: 10, lr: 0.2 },
      { step: 15, weightDecay: 0, lr: 0.9 },
    ]);
  });
});
