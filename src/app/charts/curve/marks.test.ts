import { expect, test } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../../../base/augmentation.ts';
import { completed } from '../../../run/settings/rules.ts';
import { changesInWords } from '../../../run/settings/adjustments.ts';
import { marksOf } from './marks.ts';

const start = completed({ lr: 0.1, momentum: 0.9, weightDecay: 0, augmentation: NO_AUGMENTATION });

test('each change is shown with the previous value', () => {
  const adjustments = [
    { step: 10, lr: 0.2 },
    { step: 20, lr: 0.3, weightDecay: 0 },
    { step: 30, augmentation: parseAugmentation('crop=2,flip') },
    { step: 40, augmentation: NO_AUGMENTATION },
  ];
  expect(changesInWords({ start, adjustments })).toEqual([
    { step: 10, what: 'learning rate', before: '0.1', after: '0.2' },
    { step: 20, what: 'learning rate', before: '0.2', after: '0.3' },
    { step: 30, what: 'augmentation', before: 'none', after: 'crop=2,flip' },
    { step: 40, what: 'augmentation', before: 'crop=2,flip', after: 'none' },
  ]);
  expect(marksOf({ start, adjustments })[0]).toEqual({ step: 10, words: 'learning rate 0.2' });
  const both = [{ step: 10, lr: 0.2, augmentation: parseAugmentation('flip') }];
  expect(marksOf({ start, adjustments: both })).toEqual([
    { step: 10, words: 'learning rate 0.2, augmentation flip' },
  ]);
  expect(marksOf(undefined)).toEqual([]);
});
