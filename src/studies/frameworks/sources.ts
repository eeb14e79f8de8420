/** The contenders' files as they are written: what is shown is what runs. */
import { linesOfCode, sourceOf } from './contenders.ts';
import type { StudySource } from '../study.ts';
import { ENTRANTS } from './entrants.ts';

export async function contenderSources(): Promise<StudySource[]> {
  const files = [...new Map(ENTRANTS.map((entrant) => [entrant.file, entrant]))];
  return Promise.all(
    files.map(async ([file, { framework, level }]): Promise<StudySource> => {
      const text = await sourceOf(file);
      const explanation = `The same network from the same weights, in ${linesOfCode(text)} lines of code.`;
      return { name: `${framework}, ${level}`, explanation, language: 'TypeScript', text };
    }),
  );
}
