import { expect, test } from 'vitest';
import document from '../../../../docs/glossary.md?raw';
import { evaluationMetrics, stepMetrics } from '../../../run/metrics/table.ts';
import { SETTING_KEYS, settingOf } from '../../../run/settings/table.ts';
import { slugOf } from '../../glossary-link.ts';
import { entriesOf, entryAt, foundIn, GLOSSARY } from './glossary.ts';

const DOCUMENT = `# Words

Text | with a bar.

## First

| word         | meaning     | elsewhere   |
| ------------ | ----------- | ----------- |
| layer, op    | a \`thing\` | module      |
| Split-K      | slices      |             |

## For whoever writes

| word | not |
| ---- | --- |
| tile | cut |
`;

test('the rows of the document are entries, under their headings', () => {
  expect(entriesOf(DOCUMENT)).toEqual([
    { word: 'layer, op', kind: 'First', meaning: 'a `thing`', elsewhere: 'module' },
    { word: 'Split-K', kind: 'First', meaning: 'slices', elsewhere: undefined },
  ]);
});

test('an address names an entry by its word, or by one of several', () => {
  const entries = entriesOf(DOCUMENT);
  expect(entryAt('split-k', entries)?.word).toBe('Split-K');
  expect(entryAt('op', entries)?.word).toBe('layer, op');
  expect(entryAt('layer-op', entries)?.word).toBe('layer, op');
  expect(entryAt('nonsense', entries)).toBeUndefined();
});

test('words, meanings and what others say are searched', () => {
  const entries = entriesOf(DOCUMENT);
  expect(foundIn('MODULE thing', entries).map(({ word }) => word)).toEqual(['layer, op']);
  expect(foundIn('', entries)).toHaveLength(2);
});

test('what a table of settings or metrics explains, the document does not explain again', () => {
  const titles = new Set(
    [...SETTING_KEYS.map(settingOf), ...stepMetrics, ...evaluationMetrics].map(({ title }) => slugOf(title)),
  );
  const twice = entriesOf(document).filter(({ word }) => titles.has(slugOf(word)));
  expect(twice.map(({ word }) => word)).toEqual([]);
});

test('the glossary, the settings and the metrics are all there, each under its own address', () => {
  for (const word of [
    'fork',
    'feature map',
    'Loss',
    'Confusion matrix',
    'ReLU',
    'softmax',
    'backpropagation',
  ])
    expect(entryAt(slugOf(word)), word).toBeDefined();
  for (const key of SETTING_KEYS)
    expect(entryAt(slugOf(settingOf(key).title))?.everyday ?? '', key).not.toBe('');
  expect(entryAt('warm-up-epochs')?.differs).toContain('that rate comes twice');
  for (const { word, meaning, everyday = '' } of GLOSSARY) expect(meaning + everyday, word).not.toBe('');
});

test('all entries have one form', () => {
  for (const { word, meaning } of entriesOf(document)) {
    expect(word).toMatch(/^([A-Z]|fprop)/);
    expect(meaning, word).toMatch(/^[A-Z`].*\.$/);
  }
});
