/** The lessons that the page comes with, by name. */
const TITLES = import.meta.glob<string>('../../../../lessons/en/*.json', { eager: true, import: 'title' });

/** In the order of the list; others come after them. */
const ORDER = [
  'loss',
  'learning-rate',
  'overfitting',
  'wrong-labels',
  'filters',
  'pooling',
  'batch-size',
  'initialisation',
  'depth',
  'augmentation',
  'confidence',
  'own-photos',
];

const place = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** Their English titles, to find them by. */
export const lessonTitles: readonly { name: string; title: string }[] = Object.entries(TITLES)
  .map(([path, title]) => ({ name: path.replace(/^.*\/|\.json$/g, ''), title }))
  .sort((a, b) => place(a.name) - place(b.name));
