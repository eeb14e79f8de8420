/** The texts of settings that change during a run, of those in a link, and of a run that has stopped learning. */
import { formsOf } from '../forms.ts';

const { count, many } = formsOf('en');

const english = {
  during: 'Changes during this run',
  forked: (from: string) => `Forked from ${from}.`,
  change: (step: number, what: string, before: string, after: string) =>
    `Step ${count(step)}: ${what} ${before} → ${after}`,
  origin: (run: string, step: number) => `${run}, step ${count(step)}`,
  parent: 'Parent run',
  noParent: 'none',
  inOtherTab: (run: string) => `${run} is open in another tab.`,
  noCheckpoint: 'No checkpoint is saved. Fork the run instead: a new run starts from its weights.',
  notHere: (dataset: string | undefined) => `${dataset ?? 'The data set'} is not downloaded yet.`,
  otherModel: 'These weights do not fit another model. Restart instead.',
  aRun: (run: number) => `run ${run}`,
  pending: {
    label: 'Pending changes',
    title: (changes: number, settings: string) =>
      `${many(changes, { one: 'pending change', other: 'pending changes' })}: ${settings}`,
    explanation:
      'The current run keeps its settings until you restart or fork. A fork starts from its current weights.',
    restartTitle: 'Start a new run from step 0 with these settings.',
    restart: 'Apply and restart',
    forkTitle: 'Start a new run from the current weights.',
    fork: 'Fork from here',
    discard: 'Discard changes',
  },
  exploded: {
    title: 'This run has stopped learning',
    restart: (rate: number) => `Restart with learning rate ${rate}`,
    explanation: (loss: string, guessing: string, decays: boolean) =>
      `Its test loss is ${loss} (random guessing: ${guessing}), and its accuracy is no better than guessing. ` +
      'The weights have exploded, and more steps will not help: ' +
      `the learning rate${decays ? ' or weight decay' : ''} is too high.`,
  },
  link: {
    valid: 'This link contains settings',
    partlyValid: 'This link contains settings, some of them invalid',
    invalid: 'This link contains no valid settings',
    apply: 'Apply settings',
    keep: 'Keep my settings',
    others: 'All other settings use their defaults.',
    all: 'All settings use their defaults.',
    waits: 'Training starts only when you select Train.',
    open: 'The current run keeps its settings.',
    model: 'Model',
    inLink: 'the model in the link',
    corrupted: 'the model in the link is corrupted or incomplete',
  },
};

export type ChangesTexts = typeof english;

export default english;
