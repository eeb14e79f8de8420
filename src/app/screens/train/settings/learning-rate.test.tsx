import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../../../state/store.ts';
import { LearningRate, marksAt, positionOf, rateAt } from './LearningRate.tsx';

beforeEach(() => useApp.setState(useApp.getInitialState(), true));

test('the slider sets the rate on a logarithmic scale, and shows what was typed', () => {
  render(<LearningRate errors={{}} />);
  const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'Learning rate, logarithmic' });
  expect(Number(slider.value)).toBeCloseTo(-3);
  fireEvent.change(slider, { target: { value: '-1.5' } });
  expect(useApp.getState().settings.lr).toBe('0.032');
  expect(slider.getAttribute('aria-valuetext')).toBe('0.032');
  fireEvent.change(screen.getByRole('textbox', { name: 'Learning rate' }), { target: { value: '0.5' } });
  expect(Number(slider.value)).toBeCloseTo(-0.3);
});

test.each([
  ['100', 1],
  ['1e-9', -5],
  ['fast', -2],
  ['0', -2],
])(
  'a rate of %s is at %d: at an end where it is beyond, in the middle where it is none',
  (rate, position) => {
    expect(positionOf(rate)).toBe(position);
  },
);

test('a rate beyond the slider stands at its end', () => {
  expect(marksAt('0.1')).toEqual(['10⁻⁵', '10⁻³', '0.1', '10']);
  expect(marksAt('100')).toEqual(['10⁻⁵', '10⁻³', '0.1', '100 →']);
  expect(marksAt('1e-7')).toEqual(['← 1e-7', '10⁻³', '0.1', '10']);
  expect(marksAt('0')).toEqual(['10⁻⁵', '10⁻³', '0.1', '10']);
});

test('rates have two digits', () => {
  expect([-5, -2.95, 0.5].map(rateAt)).toEqual(['0.00001', '0.0011', '3.2']);
});
