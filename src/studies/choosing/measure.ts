/** The study, part by part. What an earlier run finished is reported again and not measured. */
import type { NumberType } from '../../engine/plan.ts';
import type { Line, RowLine, StudyContext } from '../study.ts';
import { finishedLines, measureLayers, measureNetwork, networksFor } from './networks.ts';
import { knownRow, labelOf, measureSquare, reportRules, squares } from './problems.ts';
import { PRECISIONS, Searches } from './search.ts';

/** A part of the study. */
interface Task {
  title: string;
  /** What an earlier run reported of it, if it finished it. */
  known: readonly Line[] | undefined;
  measure(context: StudyContext): Promise<void>;
}

export async function measure(context: StudyContext): Promise<void> {
  const { device, small, known, report, progress } = context;
  const numbers: NumberType[] = device.raw.features.has('shader-f16') && !small ? ['f32', 'f16'] : ['f32'];
  const rows: RowLine[] = [];
  const collect = (line: Line) => {
    if (!('bar' in line)) rows.push(line);
    report(line);
  };
  const ofProblems = (number: NumberType): Task[] =>
    squares(context, number).map((square) => {
      const row = knownRow(context, square);
      return {
        title: labelOf(square),
        known: row && [row],
        measure: async (own) => own.report(await measureSquare(own, square)),
      };
    });
  const ofNetworks = (number: NumberType): Task[] =>
    networksFor(context).map((network) => ({
      title: `${network.title}, ${PRECISIONS[number]}`,
      known: finishedLines(known, network, number),
      async measure(own) {
        if (number === 'f32') return measureNetwork(own, network);
        // With the batch that fits its training.
        const trained = rows.find(
          ({ figure, cells }) => figure === 'networks' && cells['network'] === network.title,
        );
        const batch = Number(trained?.cells['batch'] ?? network.batch);
        await measureLayers(own, { ...network, batch }, number, new Searches(own));
      },
    }));
  const tasks = [...numbers.flatMap(ofProblems), ...numbers.flatMap(ofNetworks)];
  try {
    for (const [i, task] of tasks.entries()) {
      const within = (share: number, doing: string) =>
        progress((i + share) / tasks.length, [task.title, doing].filter(Boolean).join(', '));
      if (task.known) task.known.forEach(collect);
      else {
        within(0, '');
        await task.measure({ ...context, report: collect, progress: within });
      }
    }
  } finally {
    // Of what there is, if the study is stopped.
    reportRules(context, rows);
  }
}
