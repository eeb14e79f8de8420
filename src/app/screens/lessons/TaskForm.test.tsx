import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { lessons } from '../../messages/lessons.ts';
import type { Lesson } from '../../../lessons/format.ts';
import { TaskForm } from './TaskForm.tsx';

const LESSON: Lesson = {
  lesson: 1,
  settings: {},
  right: 1,
  tasks: [{ checks: [{ check: 'setting', of: 'lr', atLeast: 1, atMost: 5 }] }],
  texts: structuredClone(lessons.editor.example),
};

function Form() {
  const [draft, setDraft] = useState(LESSON);
  return (
    <>
      <TaskForm draft={draft} at={0} change={(changes) => setDraft({ ...draft, ...changes })} />
      <output>{JSON.stringify(draft.tasks[0].checks)}</output>
    </>
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const checks = () => JSON.parse(screen.getByRole('status').textContent) as unknown;

test('limits that a change of the check takes away are gone from their fields, too', async () => {
  render(<Form />);
  await userEvent.type(field('Exactly'), 'x');
  expect(checks()).toEqual([{ check: 'setting', of: 'lr', is: 'x' }]);
  expect([field('At least').value, field('At most').value]).toEqual(['', '']);
  await userEvent.type(field('At most'), '0,5');
  expect(field('At most').value).toBe('0,5');
  expect(checks()).toEqual([{ check: 'setting', of: 'lr', atMost: 0.5 }]);
  await userEvent.selectOptions(field('Check'), 'steps');
  expect(field('At most').value).toBe('');
  expect(checks()).toEqual([{ check: 'steps', atLeast: 0 }]);
});
