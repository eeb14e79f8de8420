import { beforeEach, expect, test } from 'vitest';
import { completed } from '../../../../run/settings/rules.ts';
import { emit } from '../../../events.ts';
import { listenToRuns } from '../../../journal/runs-store.ts';
import { useApp } from '../../../state/store.ts';
import { momentNow } from './moment.ts';
import { progressOf } from './progress.ts';

const config = { ...completed({}), model: 'lenet5', dataset: 'digits' };
const now = () => momentNow(progressOf('any'), 0, undefined).run;

beforeEach(() => useApp.setState({ ...useApp.getInitialState(), device: 'ready' }, true));

test('a run counts from its start, and again after it is restarted', () => {
  listenToRuns();
  useApp.setState({ runId: 1, runState: 'training', runConfig: { ...config, record: 'first' } });
  expect(now()).toBeDefined();
  // The settings of the next run are there before its numbers are.
  useApp.setState({ runConfig: { ...config, record: 'second' } });
  expect(now()).toBeUndefined();
  useApp.setState({ runId: 2 });
  expect(now()).toBeDefined();
  // Restarted, it gets a number at once, and a name with its first step.
  useApp.setState({ runId: 3 });
  expect(now()).toBeDefined();
  emit({ type: 'recording', runId: 3, id: 'third' });
  expect(now()).toBeDefined();
});
