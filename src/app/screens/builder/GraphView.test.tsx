import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { models } from '../../../models/index.ts';
import type { ModelFile } from '../../../worker/api.ts';
import { describeModel } from '../../../worker/builder/fixes.ts';
import { replaceModel } from './build-store.ts';
import GraphView from './GraphView.tsx';
import { anyPart } from '../../testing/any-part.ts';

vi.mock('../../ask-part.ts', () => ({
  askPart: async (question: (api: unknown) => unknown) => question(anyPart({ describeModel })),
}));

test('a model with fewer layers takes the place of a longer one', async () => {
  replaceModel(models.get('resnet20') as ModelFile, '');
  render(<GraphView />);
  await screen.findByLabelText('layer1.0, collapsed', { exact: false });
  act(() => replaceModel(models.get('lenet5') as ModelFile, ''));
  expect(await screen.findByLabelText('conv2')).toBeTruthy();
});
