/** Results of other machines, which are published with wgrad: bench/results/studies/<machine>/<study>.jsonl. */
import type { StudyEnding, Line, PublishedLine, StudyResult } from './study.ts';

const files = import.meta.glob<string>('/bench/results/studies/*/*.jsonl', {
  query: '?raw',
  import: 'default',
});

/** All published results of a study. */
export function resultsElsewhere(study: string): Promise<StudyResult[]> {
  const own = Object.entries(files).filter(([path]) => path.endsWith(`/${study}.jsonl`));
  return Promise.all(own.map(async ([, load]) => readResult(await load())));
}

/** Reads what `wgrad study` printed. @throws Error if it is not whole */
export function readResult(text: string): StudyResult {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as PublishedLine | Line | StudyEnding)
    .filter((line) => !('published' in line));
  const last = lines.pop();
  if (!last || !('final' in last)) throw new Error('the last line is missing');
  const { final: _, lines: __, ...about } = last;
  return { ...about, lines: lines as Line[] };
}
