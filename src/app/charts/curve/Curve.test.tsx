import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../../state/store.ts';
import { Curve } from './Curve.tsx';

beforeEach(() => useApp.setState(useApp.getInitialState(), true));

const show = () =>
  render(
    <Curve
      title="Loss"
      series={[]}
      formatValue={String}
      formatTick={String}
      epochsAt="top"
      ghost={<p>a recorded run</p>}
    />,
  );

test('until the first step a recorded run stands behind the axes, and what the run waits for is counted', () => {
  show();
  expect(screen.getByText('a recorded run')).toBeTruthy();
  expect(screen.getByText('A recorded run. Yours starts with the first step.')).toBeTruthy();
  act(() => useApp.setState({ runState: 'preparing', compiling: { done: 12, total: 27 } }));
  expect(screen.getByText('Compiling: 12 of 27 shaders')).toBeTruthy();
  act(() => useApp.setState({ compiling: { done: 27, total: 27 } }));
  expect(screen.getByText('Loading the images…')).toBeTruthy();
});
