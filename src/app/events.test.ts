import { expect, test } from 'vitest';
import { emit, onEvent } from './events.ts';

test('an event goes to all that listen for its type, in order', () => {
  const heard: unknown[] = [];
  onEvent('stopReason', ({ reason }) => heard.push(`first ${reason}`));
  onEvent('stopReason', ({ reason }) => heard.push(`second ${reason}`));
  onEvent('checkpoint', ({ step }) => heard.push(step));
  emit({ type: 'stopReason', runId: 1, reason: 'Good.' });
  expect(heard).toEqual(['first Good.', 'second Good.']);
});
