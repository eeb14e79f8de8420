import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Look } from '../../../worker/api.ts';
import { useInspect } from '../../state/inspect-store.ts';
import { useLook } from './activations.ts';
import { MapsPanel } from './MapsPanel.tsx';

// The test environment has no canvas.
vi.mock(import('../../components/use-ink.ts'), async (original) => ({
  ...(await original()),
  bytesOf: () => [0, 0, 0],
  onThemeChange: () => () => undefined,
  useInk: () => [0, 0, 0],
}));

const layer = (name: string, op: string, shape: number[]) => ({
  name,
  op,
  title: name,
  takes: [],
  shape,
  overviewChannels: 1,
  reads: { kind: 'same' as const },
  settings: [],
  parameters: 0,
});

/** Two maps of 2 x 2, the second one all zero. */
const look = (more: Partial<Look> = {}): Look => ({
  step: 7,
  probabilities: Float32Array.of(1),
  layers: [layer('input', 'input', [1, 2, 2]), layer('relu1', 'relu', [2, 2, 2])],
  overviews: {},
  output: { layer: 'relu1', shape: [2, 2, 2], values: Float32Array.of(0, 1, 5, 2, 0, 0, 0, 0) },
  ...more,
});
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const value = () => screen.getByLabelText('Selected value').textContent;

beforeEach(() => {
  useInspect.setState({ lookChoice: { layer: 'relu1', channel: 0, pixel: undefined } });
  useLook.setState({ firing: undefined, firingAsked: undefined });
});

test('the strongest value is selected at first; row, column and channel select another', () => {
  render(<MapsPanel look={look()} />);
  expect(value()).toBe('5.00000');
  expect([field('Row').value, field('Column').value]).toEqual(['1', '0']);
  fireEvent.change(field('Row'), { target: { value: '0' } });
  fireEvent.change(field('Column'), { target: { value: '1' } });
  fireEvent.change(field('Column'), { target: { value: '9' } });
  expect(screen.getByText('Enter a whole number from 0 to 1, not 9. Still 1.')).toBeTruthy();
  expect(useInspect.getState().lookChoice.pixel).toEqual({ p: 0, q: 1 });
  expect(value()).toBe('1.00000');
  fireEvent.change(field('Channel'), { target: { value: '1' } });
  expect(value()).toBe('0.00000');
});

test('while another layer is loading, nothing can be selected', () => {
  useInspect.setState({ lookChoice: { layer: 'conv2', channel: 0, pixel: undefined } });
  render(<MapsPanel look={look()} />);
  expect(field('Channel').readOnly).toBe(true);
});

test('channels that are all zero are listed, and dead ones after a check', () => {
  render(<MapsPanel look={look()} />);
  expect(screen.getByText(/1 of 2 channels are all zero for this image: 1\./)).toBeTruthy();
  act(() =>
    useLook.setState({ firing: { layer: 'relu1', step: 7, images: 64, counts: Uint32Array.of(64, 0) } }),
  );
  expect(screen.getByText(/Dead at step 7 \(zero for all 64 test images\): 1\./)).toBeTruthy();
});
