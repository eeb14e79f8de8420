import { expect, test } from 'vitest';
import { optimizers } from '../../engine/optimizers/registry.ts';
import { OPTIMIZER_ENTRIES } from './catalogue.ts';

test('the page offers every optimiser, once', () => {
  expect(OPTIMIZER_ENTRIES.map(({ name }) => name).sort()).toEqual(optimizers.names());
});
