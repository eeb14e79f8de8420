import { afterEach, expect, test } from 'vitest';
import { useRuns } from '../journal/runs-store.ts';
import type { DatasetEntry, RunStart } from '../../worker/api.ts';
import { OWN_MODEL } from '../state/own-model.ts';
import { DEFAULT_SETTINGS } from '../state/settings.ts';
import { useApp } from '../state/store.ts';
import {
  extentFor,
  extentOf,
  fineTuning,
  frozenFor,
  stagesOf,
  startFromScratch,
  startFromWhatSuits,
  trainedFor,
} from './start-from.ts';

const layers = ['conv1', 'bn1', 'relu', 'layer1.0.conv1', 'layer1.0.bn1', 'layer2.0.conv1', 'fc'].map(
  (name) => ({ name, parameters: name === 'relu' ? 0 : 10 }),
);
const stages = stagesOf(layers);
afterEach(() => useApp.setState({ settings: DEFAULT_SETTINGS }));

test('a network’s stages, and what is frozen of them', () => {
  expect(stages).toEqual(['conv1', 'bn1', 'layer1', 'layer2', 'fc']);
  expect(frozenFor(stages, 'last')).toBe('conv1,bn1,layer1,layer2');
  expect(frozenFor(stages, 'stage')).toBe('conv1,bn1,layer1');
  expect(frozenFor(stages, 'all')).toBe('');
  for (const extent of ['last', 'stage', 'all'] as const)
    expect(extentOf(stages, frozenFor(stages, extent))).toBe(extent);
  expect(extentOf(stages, 'layer2')).toBeUndefined();
});

test('defaults fit the number of images', () => {
  expect([3, 16, 500].map(extentFor)).toEqual(['last', 'stage', 'all']);
  expect(fineTuning(stages, { train: 48, classes: 3, batchSize: 8 })).toMatchObject({
    optimizer: 'adam',
    lr: '0.001',
    freeze: 'conv1,bn1,layer1',
    batchSize: '8',
    epochs: '20',
  });
  // All layers at the usual rate would forget what they know.
  expect(fineTuning(stages, { train: 50_000, classes: 10, batchSize: 64 })).toMatchObject({
    lr: '0.0001',
    freeze: '',
    epochs: '2',
  });
});

test('networks are offered by the shape of the images', () => {
  expect(trainedFor([3, 32, 32]).map(({ name }) => name)).toEqual(['resnet20-cifar-10']);
  expect(trainedFor([3, 64, 64])).toEqual([]);
});

test('a few own images are learnt from a trained network, unless a model was chosen or there are many', () => {
  const startFor = (train: number, model = DEFAULT_SETTINGS.model) => {
    const own = { name: 'own', shape: [3, 32, 32], classes: ['cat', 'dog'], counts: { train, test: 4 } };
    useApp.setState({
      datasets: [own as unknown as DatasetEntry],
      settings: { ...DEFAULT_SETTINGS, dataset: 'own', model },
    });
    startFromWhatSuits();
    const { settings } = useApp.getState();
    return [settings.model, settings.initialWeights];
  };
  expect(startFor(49)).toEqual(['resnet20', 'resnet20-cifar-10']);
  expect(startFor(49, 'mlp')).toEqual(['mlp', '']);
  expect(startFor(5000)).toEqual([DEFAULT_SETTINGS.model, '']);
});

test('another model leaves the run to fork behind, another setting or one’s own model does not', () => {
  const { change } = useApp.getState();
  const fork = { name: 'quiet-otter-1', step: 20 } as unknown as RunStart;
  useRuns.setState({ fork });
  change({ lr: '0.01' });
  change({ model: OWN_MODEL });
  expect(useRuns.getState().fork).toBe(fork);
  change({ model: 'mlp' });
  expect(useRuns.getState().fork).toBeUndefined();
});

test('another model leaves the weights behind, another setting does not', () => {
  const { change } = useApp.getState();
  const at = () => useApp.getState().settings;
  change({ model: 'resnet20', initialWeights: 'resnet20-cifar-10', freeze: 'layer1' });
  change({ lr: '0.01' });
  expect(at()).toMatchObject({ initialWeights: 'resnet20-cifar-10', freeze: 'layer1' });
  change({ model: 'lenet5' });
  expect(at()).toMatchObject({ initialWeights: '', freeze: '' });
  change({ model: 'resnet20', initialWeights: 'resnet20-cifar-10', freeze: 'layer1' });
  useRuns.setState({ fork: { id: 'a', run: 'b', name: 'c', step: 1 } });
  startFromScratch();
  expect([at().initialWeights, at().freeze, useRuns.getState().fork]).toEqual(['', '', undefined]);
});
