/**
 * Documents and their measured sections: text between `<!-- measured: NAME -->` and `<!-- end of measured -->`, which
 * sections.ts writes from results. Outside of them a document states no figure of speed, accuracy, error or cost.
 */

/** Those whose figures are checked, from the project's root. */
export const DOCUMENTS = ['README.md', 'docs/features.md', 'docs/speed.md', 'bench/README.md'] as const;

/** Reports on results, all figures of which stand in their sections or are of the day that they name. */
export const REPORTS = ['bench/results/steps.md', 'bench/results/page.md'] as const;

const SECTION = /<!-- measured: ([\w-]+) -->\n[^]*?<!-- end of measured -->/g;

/** A document with the sections that results make today. @throws Error if it names one that does not exist */
export const withSections = (text: string, sections: Readonly<Record<string, () => string>>): string =>
  text.replace(SECTION, (_, name: string) => {
    const section = sections[name];
    if (!section) throw new Error(`there is no measured section "${name}"`);
    return `<!-- measured: ${name} -->\n\n${section()}\n\n<!-- end of measured -->`;
  });

const UNITS = [
  ...[
    '%',
    '‰',
    'ns',
    'us',
    'µs',
    'ms',
    's',
    'seconds?',
    'minutes?',
    'min',
    'hours?',
    'times',
    '×',
    'x faster',
  ],
  ...['[GT]FLOP/s', 'FLOP/s', '[MG]B/s', 'images/s', 'images (?:per|a) second', 'steps (?:per|a) second'],
].join('|');

/** A number with a unit of cost, an error such as 1.6e-7, or a decimal number alone in a table's cell. */
const FIGURE = new RegExp(
  [
    `(?<![\\w.])\\d[\\d.,]*(?:e-?\\d+)?\\s?(?:${UNITS})(?![\\w/])`,
    '(?<![\\w.])\\d\\.\\d+e-\\d+',
    '(?<=\\|\\s*)\\d+\\.\\d+(?=\\s*\\|)',
  ].join('|'),
  'g',
);

/** Figures that stand outside of measured sections and of code, each with the line that it is in. */
export function looseFigures(text: string): { figure: string; line: string }[] {
  const prose = text
    .replace(SECTION, '')
    .replace(/```[^]*?```/g, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/^ {4}.*$/gm, '');
  return prose
    .split('\n')
    .flatMap((line) => [...line.matchAll(FIGURE)].map(([figure]) => ({ figure, line: line.trim() })));
}
