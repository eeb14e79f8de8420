/** The state of the Studies: the list, each study's last result here, and results of other machines. */
import { create } from 'zustand';
import type { FailureValue } from '../../../base/result.ts';
import type { AdapterSummary, StudyInfo, StudyLine, StudyResult } from '../../../worker/api.ts';
import { obstacleToDevice } from '../../actions/start.ts';
import { askPart } from '../../ask-part.ts';
import { ask } from '../../client.ts';
import { onEvent } from '../../events.ts';
import { failureToShow } from '../../measured-run.ts';
import { useApp } from '../../state/store.ts';

/** A study on this machine, running or finished. */
export interface MeasuredStudy {
  state: 'running' | 'done' | 'stopped' | 'failed';
  small: boolean;
  date: Date;
  adapter: AdapterSummary | undefined;
  lines: readonly StudyLine[];
  /** 0 to 1. */
  share: number;
  doing: string;
  seconds: number;
  error: FailureValue | undefined;
}

interface StudiesState {
  list: readonly StudyInfo[] | undefined;
  here: Readonly<Record<string, MeasuredStudy>>;
  elsewhere: Readonly<Record<string, readonly StudyResult[]>>;
}

export const useStudies = create<StudiesState>()(() => ({ list: undefined, here: {}, elsewhere: {} }));

const change = (study: string, how: (one: MeasuredStudy) => Partial<MeasuredStudy>) =>
  useStudies.setState(({ here }) => {
    const one = here[study];
    return one ? { here: { ...here, [study]: { ...one, ...how(one) } } } : {};
  });

const addLine = (study: string, line: StudyLine) =>
  change(study, ({ lines }) => ({ lines: [...lines, line] }));

onEvent('study', (event) => {
  if (event.step === 'line') addLine(event.study, event.line);
  else change(event.study, () => ({ share: event.share, doing: event.doing }));
});

/** Loads the list, once. */
export async function loadStudies(): Promise<void> {
  if (useStudies.getState().list) return;
  const list = await askPart((api) => api.studyList());
  if (list) useStudies.setState({ list });
}

/** Loads other machines' results of a study, once. */
export async function loadElsewhere(study: string): Promise<void> {
  if (useStudies.getState().elsewhere[study]) return;
  const results = await askPart((api) => api.studyElsewhere(study));
  if (results) useStudies.setState(({ elsewhere }) => ({ elsewhere: { ...elsewhere, [study]: results } }));
}

export const runningStudy = ({ here }: Pick<StudiesState, 'here'>): string | undefined =>
  Object.keys(here).find((name) => here[name].state === 'running');

/** Measures a study on this machine; the store shows the progress. */
export async function runHere(study: StudyInfo, small: boolean): Promise<void> {
  const state = useApp.getState();
  if (obstacleToDevice(state) !== undefined) return;
  const begun: MeasuredStudy = {
    state: 'running',
    small,
    date: new Date(),
    adapter: state.adapter,
    lines: [],
    share: 0,
    doing: 'Preparing',
    seconds: 0,
    error: undefined,
  };
  useStudies.setState(({ here }) => ({ here: { ...here, [study.name]: begun } }));
  const answer = await ask((api) => api.runStudy(study.name, small));
  change(study.name, () => {
    if (answer.ok) return { state: 'done', share: 1, seconds: answer.value };
    const error = failureToShow(answer.error);
    return { state: error ? 'failed' : 'stopped', error };
  });
}
