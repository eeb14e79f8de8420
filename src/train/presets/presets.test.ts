import { describe, expect, test } from 'vitest';
import { checkAugmentation, NO_AUGMENTATION } from '../../base/augmentation.ts';
import { datasets } from '../../data/catalogue.ts';
import { optimizers } from '../../engine/optimizers/registry.ts';
import { models } from '../../models/index.ts';
import { fitModel } from '../../models/model.ts';
import { schedules } from '../schedules/registry.ts';
import { presets } from './registry.ts';

describe.each(presets.all())('preset $name', (preset) => {
  test('names what there is, and it fits together', () => {
    const { defaults, stepFields } = optimizers.get(preset.optimizer);
    const info = datasets.get(preset.dataset);
    expect(() => fitModel(models.get(preset.model), { ...info, name: info.title })).not.toThrow();
    expect(() => stepFields(1, { ...defaults, ...preset.settings })).not.toThrow();
    checkAugmentation({ ...NO_AUGMENTATION, ...preset.augmentation }, info.shape);
    if (preset.schedule) schedules.get(preset.schedule);
    expect(preset.warmupEpochs ?? 0).toBeLessThan(preset.epochs);
  });

  test('is told in words', () => {
    expect(preset.title.length).toBeGreaterThan(5);
    expect(preset.description).toMatch(/\.$/);
  });
});
