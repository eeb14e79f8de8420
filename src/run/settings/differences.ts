/** Where settings differ from PyTorch: the sections of docs/pytorch.md, by the titles of settings that each begins with. */
import document from '../../../docs/pytorch.md?raw';
import { settingOf, type SettingKey } from './table.ts';

export interface Difference {
  /** "Settings" or "Ops". */
  of: string;
  names: readonly string[];
  /** Its paragraphs, in one. */
  text: string;
}

/** The sections of such a document. */
export const sectionsOf = (markdown: string): Difference[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, first = '', ...paragraphs] = section.trim().split('\n\n');
      const [of, names = ''] = first.split(': ');
      return { of, names: names.split(', '), text: paragraphs.join(' ').replaceAll('\n', ' ') };
    });

export const DIFFERENCES: readonly Difference[] = sectionsOf(document);

/** How a setting differs from PyTorch's; empty if it does not. */
export const differencesOf = (key: SettingKey): string =>
  DIFFERENCES.filter(({ of, names }) => of === 'Settings' && names.includes(settingOf(key).title))
    .map(({ text }) => text)
    .join(' ');
