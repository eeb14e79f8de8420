/** All studies. */
import { Failure } from '../base/result.ts';
import { found, Registry } from '../base/registry.ts';
import type { Line, Study, StudyContext, StudyInfo } from './study.ts';

export const studies = new Registry<Study>(
  'study',
  found<Study>(import.meta.glob('./*/index.ts', { eager: true, import: 'default' })),
);

/** In the order of the list. */
export const studyList = (): StudyInfo[] =>
  studies
    .all()
    .sort((a, b) => a.order - b.order)
    .map((study) => {
      const { run: _, sources, ...info } = study;
      return { ...info, hasSources: sources !== undefined };
    });

/**
 * Runs a study and returns its lines.
 * @throws Failure `cancelled` if the signal aborts
 */
export async function runStudy(
  name: string,
  { report, ...context }: StudyContext,
): Promise<{ lines: Line[]; seconds: number }> {
  const study = studies.get(name);
  const start = performance.now();
  const lines: Line[] = [];
  const figures = new Set(study.figures.map((figure) => figure.name));
  await study.run({
    ...context,
    report(line) {
      if (!figures.has(line.figure)) throw new Error(`wgrad bug: ${name} has no figure "${line.figure}"`);
      lines.push(line);
      report(line);
    },
  });
  if (context.signal.aborted) throw new Failure('cancelled', 'Stopped.');
  return { lines, seconds: (performance.now() - start) / 1000 };
}
