import { act, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { live } from '../metrics/live.ts';
import { useApp } from '../state/store.ts';
import { Announcer } from './Announcer.tsx';

test('the title names the screen, after the state and the accuracy of a run', () => {
  const { rerender } = render(<Announcer screen="Inspect" />);
  expect(document.title).toBe('Inspect · wgrad');
  act(() => useApp.setState({ runState: 'training' }));
  expect(document.title).toBe('Training · Inspect · wgrad');
  act(() => live.addEvaluation({ step: 20, epoch: 1, testLoss: 0.1, testAccuracy: 0.975 }));
  rerender(<Announcer screen="Runs" />);
  expect(document.title).toBe('Training 97.50 % · Runs · wgrad');
});
