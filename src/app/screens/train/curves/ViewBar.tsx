import { nearer } from '../../../charts/curve/axis.ts';
import { AXES, useChartView, type Axis } from '../../../charts/curve/view.ts';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { live } from '../../../metrics/live.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { endOf } from './end.ts';
import styles from './CurvesPanel.module.css';

const AXIS_WORDS: Record<Axis, string> = { step: 'Steps', epoch: 'Epochs', time: 'Time' };

/** Steps that the smoothed curves look back over. */
const SMOOTHING = [
  { steps: 1, words: 'none' },
  { steps: 16, words: 'a little' },
  { steps: 64, words: 'usual' },
  { steps: 512, words: 'much' },
];

/** How the curves are looked at. Dragging over one zooms all; the buttons do what keys can. */
export function ViewBar() {
  const { axis, zoom, setAxis, setZoom } = useChartView();
  const { curve } = useLive();
  const nearest = () => {
    const [from, to] = zoom ?? [0, endOf(curve, axis)];
    setZoom(nearer(from, to));
  };
  return (
    <div className={styles.bar}>
      <Choice
        label="Curves over"
        name="curve-axis"
        value={axis}
        options={AXES.map((value) => ({ value, label: AXIS_WORDS[value] }))}
        onChange={setAxis}
      />
      <label>
        Smoothing
        <select value={curve.lookBack} onChange={(event) => live.smoothOver(Number(event.target.value))}>
          {SMOOTHING.map(({ steps, words }) => (
            <option key={steps} value={steps}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.zoom} role="group" aria-label="Zoom">
        <Button
          icon="lens"
          kind="quiet"
          title="Shows the newer half of what is shown. Dragging over a curve zooms to any part."
          obstacle={curve.count < 2 ? 'There is nothing to zoom into yet.' : undefined}
          onPress={nearest}
        >
          Zoom in
        </Button>
        {zoom && (
          <Button
            kind="quiet"
            title="Double-clicking a curve does so, too."
            onPress={() => setZoom(undefined)}
          >
            Whole run
          </Button>
        )}
      </div>
    </div>
  );
}
