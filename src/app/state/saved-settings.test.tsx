import { beforeEach, expect, test, vi } from 'vitest';
import type { AdapterSummary, DatasetEntry } from '../../worker/api.ts';

/** The page's state as after a reload. */
async function reloaded() {
  vi.resetModules();
  return (await import('./store.ts')).useApp;
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test('model, data and settings survive a reload', async () => {
  const before = await reloaded();
  before.getState().change({ model: 'resnet8', dataset: 'shapes', lr: '0.02', augmentation: { crop: '2' } });
  const { settings } = (await reloaded()).getState();
  expect(settings).toMatchObject({
    model: 'resnet8',
    dataset: 'shapes',
    lr: '0.02',
    augmentation: { crop: '2' },
  });
});

test('a tab finds its own settings, and a new tab the last ones of any', async () => {
  (await reloaded()).getState().change({ seed: '7' });
  const other = { ...(await reloaded()).getState().settings, seed: '8' };
  localStorage.setItem('wgrad.settings', JSON.stringify(other));
  expect((await reloaded()).getState().settings.seed).toBe('7');
  sessionStorage.clear();
  expect((await reloaded()).getState().settings.seed).toBe('8');
});

test('what was saved by another version, or is damaged, gives way to the defaults', async () => {
  const { START_SETTINGS } = await import('./settings.ts');
  for (const text of ['{"lr":5,"news":"1","augmentation":{"crop":3,"spin":"1"}}', '{', 'null', '[]', '""']) {
    localStorage.setItem('wgrad.settings', text);
    expect((await reloaded()).getState().settings).toEqual(START_SETTINGS);
  }
});

test('a page that nobody has used trains for as long as is usual on its data; a choice stays', async () => {
  const app = await reloaded();
  const epochs = () => app.getState().settings.epochs;
  expect(epochs()).toBe('3');
  app.getState().change({ dataset: 'shapes' });
  expect(epochs()).toBe('10');
  app.getState().change({ dataset: 'own' });
  expect(epochs()).toBe('20');
  app.getState().change({ epochs: '' });
  app.getState().change({ dataset: 'digits' });
  expect(epochs()).toBe('');
});

const dataset = (name: string, train: number) => ({ name, counts: { train, test: 10 } }) as DatasetEntry;

test.each([
  ['64', 'own', '8'],
  ['16', 'own', '16'],
  ['128', 'own', '8'],
  ['128', 'mnist', '128'],
])(
  'batch size %s becomes with data set %s: %s, and with the first data again what it was',
  async (from, name, to) => {
    const app = await reloaded();
    app.setState({ datasets: [dataset('digits', 10_000), dataset('own', 48), dataset('mnist', 60_000)] });
    app.getState().change({ batchSize: from });
    app.getState().change({ dataset: name });
    expect(app.getState().settings).toMatchObject({ dataset: name, batchSize: to });
    app.getState().change({ dataset: 'digits' });
    // One that was too large is now a default.
    expect(app.getState().settings.batchSize).toBe(from === '128' && name === 'own' ? '64' : from);
  },
);

test('advice about a slow adapter that was read stays read, until another adapter is used', async () => {
  const before = await reloaded();
  before.setState({ adapter: { description: 'SwiftShader' } as AdapterSummary });
  before.getState().noteAdviceRead();
  expect((await reloaded()).getState().readAbout).toBe('SwiftShader');
});
