import { nearer, placeOf } from '../../charts/curve/axis.ts';
import { stepsPerEpochOf } from '../../charts/curve/epochs.ts';
import { useChartView } from '../../charts/curve/view.ts';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Select } from '../../widgets/Select.tsx';
import { live } from '../../metrics/live.ts';
import { useLiveValue } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import { train as texts } from '../../messages/en/train.tsx';
import styles from './Train.module.css';

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
      <Choice label={texts.curves.axis} value={axis} options={texts.curves.axes} onChange={setAxis} />
      <Select
        look="hidden"
        label={texts.curves.smoothing}
        title={texts.curves.smoothing}
        value={String(lookBack)}
        options={texts.curves.smoothings}
        onChange={(steps) => live.smoothOver(Number(steps))}
      />
      <div className={styles.zoom} role="group" aria-label={texts.curves.zoom}>
        <Button
          icon="lens"
          kind="quiet"
          className="iconic"
          title={texts.curves.zoomTitle}
          obstacle={isEmpty ? texts.curves.zoomNothing : undefined}
          onPress={nearest}
        >
          {texts.curves.zoomIn}
        </Button>
        {zoom && (
          <Button kind="quiet" title={texts.curves.zoomOutTitle} onPress={() => setZoom(undefined)}>
            {texts.curves.zoomOut}
          </Button>
        )}
      </div>
    </>
  );
}
