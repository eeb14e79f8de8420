/** The texts of settings that change during a run. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

export const changes = inLanguage('changes', {
  during: 'Changes during this run',
  forked: (from: string) => `Forked from ${from}.`,
  change: (step: number, what: string, before: string, after: string) =>
    `Step ${count(step)}: ${what} ${before} → ${after}`,
  origin: (run: string, step: number) => `${run}, step ${count(step)}`,
  parent: 'Parent run',
  noParent: 'none',
  inOtherTab: (run: string) => `${run} is open in another tab.`,
  noCheckpoint: 'No checkpoint is saved. Fork the run instead: a new run starts from its weights.',
  otherModel: 'These weights do not fit another model. Restart instead.',
  aRun: (run: number) => `run ${run}`,
  pending: {
    label: 'Pending changes',
    title: (pending: number, settings: string) =>
      `${many(pending, { one: 'pending change', other: 'pending changes' })}: ${settings}`,
    explanation:
      'The current run keeps its settings until you restart or fork. A fork starts from its current weights.',
    restartTitle: 'Start a new run from step 0 with these settings.',
    restart: 'Apply and restart',
    forkTitle: 'Start a new run from the current weights.',
    fork: 'Fork from here',
    discard: 'Discard changes',
  },
});
