import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Labelled } from './Labelled.tsx';
import { Switch } from './Switch.tsx';

const learningRate = (error?: string) => (
  <Labelled label="Learning rate" hint="How far a step goes." error={error} live>
    {(described) => <input type="number" {...described} />}
  </Labelled>
);

test('a field is named by its label and described by its hint', () => {
  render(learningRate());
  const field = screen.getByRole('spinbutton', {
    name: 'Learning rate',
    description: 'How far a step goes.',
  });
  expect(field.hasAttribute('aria-invalid')).toBe(false);
});

test('an error replaces the hint, and the field is invalid', () => {
  render(learningRate('Expected a number above 0.'));
  const field = screen.getByRole('spinbutton', { description: 'Expected a number above 0.' });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByText('How far a step goes.')).toBe(null);
});

test('a switch changes when its label is selected', async () => {
  const onChange = vi.fn<(on: boolean) => void>();
  render(<Switch label="Nesterov" hint="Looks ahead." on={false} onChange={onChange} />);
  await userEvent.click(screen.getByText('Nesterov'));
  expect(onChange).toHaveBeenCalledExactlyOnceWith(true);
  expect(screen.getByRole('checkbox', { name: 'Nesterov', description: 'Looks ahead.' })).toBeTruthy();
});
