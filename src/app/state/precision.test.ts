import { expect, test } from 'vitest';
import type { AdapterSummary } from '../../worker/api.ts';
import { obstacleToMixed } from './precision.ts';
import { readSettings } from './read-settings.ts';
import { DEFAULT_SETTINGS } from './settings.ts';

const adapter: AdapterSummary = {
  vendor: 'a',
  driver: '',
  architecture: 'b',
  description: 'A GPU',
  software: false,
  cpu: false,
  featureLevel: 'core',
  features: [],
  limits: {},
  timestamps: false,
  workspace: 64 * 2 ** 20,
  generation: 1,
};

test('mixed precision requires shader-f16, with a reason; while the GPU is unknown, it is allowed', () => {
  expect(obstacleToMixed({ adapter })).toMatch(/shader-f16, which is not available on A GPU/);
  expect(obstacleToMixed({ adapter: { ...adapter, features: ['shader-f16'] } })).toBeUndefined();
  expect(obstacleToMixed({ adapter: undefined })).toBeUndefined();
});

test('the precision changes no other setting', () => {
  const of = (precision: 'float32' | 'mixed') =>
    readSettings({ ...DEFAULT_SETTINGS, precision }, undefined).config;
  expect(of('mixed')).toEqual({ ...of('float32'), precision: 'mixed' });
  expect(of('float32')?.precision).toBe('float32');
});
