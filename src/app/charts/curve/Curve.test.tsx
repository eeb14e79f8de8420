import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { live } from '../../metrics/live.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { useApp } from '../../state/store.ts';
import { Curve } from './Curve.tsx';
import { Ghost } from './Ghost.tsx';

vi.mock('./Plot.tsx', () => ({ Plot: () => <p>the curve</p> }));

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
  expect(screen.getByText('An example. Yours appears with its first step.')).toBeTruthy();
  act(() => useApp.setState({ runState: 'preparing', compiling: { done: 12, total: 27 } }));
  expect(screen.getByText('Compiling: 12 of 27 shaders')).toBeTruthy();
  act(() => useApp.setState({ compiling: { done: 27, total: 27 } }));
  expect(screen.getByText('Loading the images…')).toBeTruthy();
});

test.each([{ dataset: 'own' }, { dataset: 'shapes' }, { model: OWN_MODEL }])(
  'a run that the recorded one is not like has axes alone before its first step: %o',
  (change) => {
    const { settings } = useApp.getState();
    const { container } = render(<Ghost of="loss" formatTick={String} />);
    expect(container.querySelector('polyline')).not.toBeNull();
    act(() => useApp.setState({ settings: { ...settings, ...change } }));
    expect(container.querySelector('polyline')).toBeNull();
    show();
    expect(screen.getByText('The curve begins with the first step.')).toBeTruthy();
  },
);

test('the recorded run is back when a run is gone, and not while one restarts', async () => {
  show();
  act(() => useApp.setState({ runId: 1, runState: 'training' }));
  live.addSteps([{ step: 1, loss: 1, accuracy: 0, imagesPerSecond: 1, learningRate: 1 }]);
  expect(await screen.findByText('the curve')).toBeTruthy();
  expect(screen.queryByText('a recorded run')).toBeNull();

  // As after Restart.
  live.clear();
  expect(await screen.findByText('An example. Yours appears with its first step.')).toBeTruthy();
  expect(screen.queryByText('a recorded run')).toBeNull();

  // As after a restart of the worker.
  act(() => useApp.setState({ runId: 0, runState: 'idle' }));
  expect(screen.getByText('a recorded run')).toBeTruthy();
  expect(screen.queryByText('the curve')).toBeNull();
});

test('of many lines, those with the lowest and the highest value are named, with their colours', () => {
  live.clear();
  live.addSteps([{ step: 1, loss: 1, accuracy: 0, imagesPerSecond: 1, learningRate: 1 }]);
  const series = [0.3, 0.1, 0.2].map((value, i) => ({
    label: `layer${i}`,
    colour: '--series-train',
    width: 1,
    values: () => Float32Array.of(value),
  }));
  render(
    <Curve
      small
      title="Ratio"
      series={series}
      formatValue={(x) => x.toFixed(1)}
      formatTick={String}
      epochsAt="top"
    />,
  );
  expect(screen.getAllByRole('term').map((one) => one.textContent.trim())).toEqual(['layer1', 'layer0']);
  expect(screen.getAllByRole('definition').map((one) => one.textContent)).toEqual(['0.1', '0.3']);
});
