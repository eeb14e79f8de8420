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

const LAYERS = { everyday: 'How big a change it makes.', more: 'Step size.', link: '#/help/learning-rate' };

test('of two layers, the everyday one stands below the field, and the precise one behind More', async () => {
  render(
    <Labelled label="Rate" hint={LAYERS}>
      {(described) => <input type="number" {...described} />}
    </Labelled>,
  );
  expect(screen.getByRole('spinbutton', { description: 'How big a change it makes.' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'About: Rate' }));
  const about = screen.getByRole('dialog', { name: 'About: Rate' });
  expect(about.textContent?.indexOf('How big')).toBeLessThan(about.textContent?.indexOf('Step size.') ?? 0);
  expect(about.querySelector('details')?.open).toBe(false);
  expect(screen.getByText('In the glossary').getAttribute('href')).toBe('#/help/learning-rate');
});

test('where room is scarce, both are behind the button, and neither is fetched before', async () => {
  render(
    <Labelled label="Rate" hint={LAYERS} look="brief">
      {(described) => <input type="number" {...described} />}
    </Labelled>,
  );
  expect(screen.queryByText('Step size.')).toBe(null);
  expect(screen.queryByText('How big a change it makes.')).toBe(null);
  await userEvent.click(screen.getByRole('button', { name: 'About: Rate' }));
  expect(screen.getByText('How big a change it makes.')).toBeTruthy();
});

test('a switch has its everyday words below it', () => {
  render(<Switch label="Shuffle" hint={LAYERS} on onChange={() => undefined} />);
  expect(screen.getByRole('checkbox', { description: 'How big a change it makes.' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'About: Shuffle' })).toBeTruthy();
});
