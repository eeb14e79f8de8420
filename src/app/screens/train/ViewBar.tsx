import { nearer, placeOf } from '../../charts/curve/axis.ts';
import { stepsPerEpochOf } from '../../charts/curve/epochs.ts';
import { useChartView } from '../../charts/curve/view.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Select } from '../../widgets/Select.tsx';
import { live } from '../../metrics/live.ts';
import { useLiveValue } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';

/** By the steps that a smoothed value averages over. */
const SMOOTHING: Readonly<Record<string, string>> = {
  1: 'no smoothing',
  16: 'light smoothing',
  64: 'medium smoothing',
  512: 'heavy smoothing',
};

/** The x axis, smoothing and zoom of all curves. Dragging across a chart zooms, too; the buttons work by keyboard. */
export function ViewBar() {
  const { axis, zoom, setAxis, setZoom } = useChartView();
  const lookBack = useLiveValue(({ curve }) => curve.lookBack);
  const isEmpty = useLiveValue(({ curve }) => curve.count < 2);
  const nearest = () => {
    const { curve } = live;
    const newest = curve.points.step[curve.count - 1] ?? 0;
    const end = placeOf(curve, axis, stepsPerEpochOf(useApp.getState()), newest);
    const [from, to] = zoom ?? [0, end];
    setZoom(nearer(from, to));
  };
  return (
    <>
      <Choice
        label="X axis"
        value={axis}
        options={{ step: 'Steps', epoch: 'Epochs', time: 'Time' }}
        onChange={setAxis}
      />
      <Select
        look="unseen"
        label="Smoothing"
        title="Smoothing"
        value={String(lookBack)}
        options={SMOOTHING}
        onChange={(steps) => live.smoothOver(Number(steps))}
      />
      <div className={styles.zoom} role="group" aria-label="Zoom">
        <Button
          icon="lens"
          kind="quiet"
          className="iconic"
          title="Zoom to the most recent half. Drag across a chart to zoom to any range."
          obstacle={isEmpty ? 'No data to zoom into yet.' : undefined}
          onPress={nearest}
        >
          Zoom in
        </Button>
        {zoom && (
          <Button kind="quiet" title="Or double-click a chart." onPress={() => setZoom(undefined)}>
            Reset zoom
          </Button>
        )}
      </div>
    </>
  );
}
