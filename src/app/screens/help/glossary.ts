/** All words of the glossary: those of docs/glossary.md, and the settings and metrics of their tables. */
import document from '../../../../docs/glossary.md?raw';
import { EVERYDAY_METRICS, METRIC_HINTS, type MetricKey } from '../../../run/metrics/everyday.ts';
import { evaluationMetrics, stepMetrics } from '../../../run/metrics/table.ts';
import { differencesOf } from '../../../run/settings/differences.ts';
import { EVERYDAY_SETTINGS } from '../../../run/settings/everyday.ts';
import { HINTS } from '../../../run/settings/hints.ts';
import { SETTING_KEYS, settingOf } from '../../../run/settings/table.ts';
import { slugOf } from '../../glossary-link.ts';

export interface GlossaryEntry {
  word: string;
  /** What it belongs to. */
  kind: string;
  /** In everyday words. */
  everyday?: string | undefined;
  /** Precisely. */
  meaning: string;
  /** What others call it. */
  elsewhere?: string | undefined;
  /** How a setting differs from PyTorch's. */
  differs?: string | undefined;
}

/** Where a document begins to speak to whoever writes. */
const FOR_WRITERS = '## For whoever writes';
/** The kind of entries that only concern how it computes, which come last. */
export const KERNELS = 'Kernels and measurements';

/** The rows of the tables of a Markdown document for learners, less their heads; kinds are its headings. */
export function entriesOf(markdown: string): GlossaryEntry[] {
  const entries: GlossaryEntry[] = [];
  let kind = '';
  let isHead = true;
  for (const line of markdown.split(FOR_WRITERS)[0].split('\n')) {
    if (line.startsWith('## ')) kind = line.slice(3);
    if (!line.startsWith('|')) isHead = true;
    else if (/^[|\s:-]+$/.test(line)) isHead = false;
    else if (!isHead) {
      const [, word, meaning, elsewhere] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      entries.push({ word, kind, meaning, elsewhere: elsewhere || undefined });
    }
  }
  return entries;
}

/** Classes of the data set that examples speak of: digits. */
const CLASSES = 10;

/** One entry for each word, with all that its sources say of it. */
function joined(entries: readonly GlossaryEntry[]): GlossaryEntry[] {
  const bySlug = new Map<string, GlossaryEntry>();
  for (const entry of entries) {
    const slug = slugOf(entry.word);
    const before = bySlug.get(slug);
    bySlug.set(
      slug,
      before
        ? {
            ...before,
            differs: entry.differs,
            everyday: before.everyday ?? entry.everyday,
            meaning: [before.meaning, entry.meaning].filter(Boolean).join('. '),
          }
        : entry,
    );
  }
  return [...bySlug.values()];
}

export const GLOSSARY: readonly GlossaryEntry[] = joined([
  ...entriesOf(document),
  ...SETTING_KEYS.map((key) => ({
    word: settingOf(key).title,
    kind: 'setting',
    everyday: EVERYDAY_SETTINGS[key],
    meaning: HINTS[key],
    differs: differencesOf(key) || undefined,
  })),
  ...[...stepMetrics, ...evaluationMetrics].map((metric) => ({
    word: metric.title,
    kind: 'metric',
    everyday: EVERYDAY_METRICS[metric.key as MetricKey](CLASSES),
    meaning: METRIC_HINTS[metric.key as MetricKey]?.(CLASSES) ?? '',
  })),
]).sort(
  (a, b) => Number(a.kind === KERNELS) - Number(b.kind === KERNELS) || a.word.localeCompare(b.word, 'en'),
);

/** The entry that an address names: by the whole of its word, or by one of several. */
export const entryAt = (slug: string, entries = GLOSSARY): GlossaryEntry | undefined =>
  entries.find(({ word }) => slugOf(word) === slug) ??
  entries.find(({ word }) => word.split(',').some((part) => slugOf(part) === slug));

/** The entries that contain every word of a query. */
export function foundIn(query: string, entries = GLOSSARY): readonly GlossaryEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ word, everyday = '', meaning, elsewhere = '', differs = '' }) => {
    const text = `${word} ${everyday} ${meaning} ${elsewhere} ${differs}`.toLowerCase();
    return words.every((one) => text.includes(one));
  });
}
