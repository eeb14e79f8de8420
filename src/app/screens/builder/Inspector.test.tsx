import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { IMAGE } from '../../../base/layers/layer.ts';
import digits from '../../../data/datasets/digits/index.ts';
import { EMPTY_OWN } from '../../../data/own/info.ts';
import { useApp } from '../../state/store.ts';
import { datasetEntry } from '../../testing/dataset-entry.ts';
import { emptyModel, useBuild } from './build-store.ts';
import { startHistory } from './history.ts';
import { Inspector } from './Inspector.tsx';

vi.mock('../../ask-part.ts', () => ({ askPart: () => Promise.resolve(undefined) }));

test('a data set without classes is not offered, and no model has none', () => {
  const datasets = [digits, EMPTY_OWN].map(({ name, title, shape, classes, counts }) =>
    datasetEntry({ name, title, shape, classes: [...classes], counts, own: classes.length === 0 }),
  );
  useApp.setState({ datasets });
  expect(emptyModel(datasets[1])).toMatchObject({ input: [3, 32, 32], classes: 10 });
  useBuild.setState({ history: startHistory(emptyModel(datasets[0])), selected: IMAGE });
  render(<Inspector panel={{ current: null }} />);
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('10 classes'),
  ]);
});
