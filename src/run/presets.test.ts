import { describe, expect, test } from 'vitest';
import { checkAugmentation, NO_AUGMENTATION } from '../base/augmentation.ts';
import { datasets } from '../data/catalogue.ts';
import { WEIGHTS_INITS } from '../engine/init.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import { models } from '../models/index.ts';
import { fitModel } from '../models/model.ts';
import { schedules } from '../train/schedules/registry.ts';
import { PRESET_DESCRIPTIONS } from './preset-descriptions.ts';
import { presets, settingsOf } from './presets.ts';
import { conflicts } from './settings/rules.ts';
import { SETTINGS } from './settings/table.ts';
import { requireSettings } from './settings/text.ts';

describe.each(presets.all())('preset $name', (preset) => {
  test('names existing models, data sets and settings that fit together', () => {
    const info = datasets.get(preset.dataset);
    expect(() => fitModel(models.get(preset.model), { ...info, name: info.title })).not.toThrow();
    const settings = settingsOf(preset);
    requireSettings(preset.settings);
    expect(conflicts(settings, info.counts.train / settings.batchSize)).toEqual([]);
    checkAugmentation({ ...NO_AUGMENTATION, ...preset.settings.augmentation }, info.shape);
  });

  test('has a title and a description', () => {
    expect(preset.title.length).toBeGreaterThan(5);
    expect(PRESET_DESCRIPTIONS[preset.name]).toMatch(/\.$/);
  });
});

test('the table of settings matches the engine', () => {
  expect(Object.keys(SETTINGS.optimizer.choices).sort()).toEqual(optimizers.names());
  expect(Object.keys(SETTINGS.schedule.choices).sort()).toEqual(schedules.names());
  expect(Object.keys(SETTINGS.weightsInit.choices)).toEqual([...WEIGHTS_INITS]);
});
