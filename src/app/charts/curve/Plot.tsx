/** The drawing of a curve, on a canvas. Its data goes there from typed arrays, past React. */
import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import { textScale } from '../../components/text-scale.ts';
import { onThemeChange } from '../../components/use-ink.ts';
import * as format from '../../format.ts';
import { live } from '../../metrics/live.ts';
import { useApp } from '../../state/store.ts';
import { placeOf, placesOf } from './axis.ts';
import type { CurveProps } from './Curve.tsx';
import { stepsPerEpochOf } from './epochs.ts';
import { marksOf } from './marks.ts';
import { makePlot } from './plot.ts';
import { compact } from './series.ts';
import { drawInTurn, leaveTurn } from './turns.ts';
import { useChartView } from './view.ts';

interface PlotProps extends Pick<
  CurveProps,
  'series' | 'points' | 'envelope' | 'formatTick' | 'epochsAt' | 'logarithmic' | 'range' | 'small'
> {
  className: string;
  /** Receives the index of the point under the cursor; undefined when it leaves. */
  onPoint(point: number | undefined): void;
}

export function Plot(props: PlotProps) {
  const { className, series, points, envelope, formatTick, epochsAt, onPoint } = props;
  const { logarithmic = false, range, small = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const [low, high] = range ?? [];
  const axis = useChartView((view) => view.axis);
  const zoomed = useChartView((view) => view.zoom !== undefined);
  const stepsPerEpoch = useApp(stepsPerEpochOf);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const room = new Float64Array(live.curve.points.step.length);
    let plot: uPlot | undefined;
    let [width, height] = [0, 0];
    let scale = 1;
    const feed = () => {
      const { points: columns, count } = live.curve;
      const data = [
        placesOf(live.curve, axis, stepsPerEpoch, room),
        ...series.map(({ values }) => values(columns)),
        ...(envelope ? [envelope.high(columns), envelope.low(columns)] : []),
      ];
      plot?.setData(data.map((column) => column.subarray(0, count)) as uPlot.AlignedData);
    };
    const draw = () => {
      // In a part of the screen that is not shown.
      if (width === 0 || height === 0) return;
      if (!plot)
        plot = makePlot(element, {
          width,
          height,
          series,
          pointColour: points?.colour,
          bandColour: envelope?.colour,
          placeOf: (step) => placeOf(live.curve, axis, stepsPerEpoch, step),
          formatX: (value) => (axis === 'time' ? format.seconds(value) : compact(value)),
          fineX: axis !== 'step',
          zoom: () => useChartView.getState().zoom,
          onZoom: (zoom) => useChartView.getState().setZoom(zoom),
          marks: () => marksOf(live.changes),
          small,
          evaluations: live.evaluations,
          pointValue: points?.value ?? (() => 0),
          epochsAt,
          logarithmic,
          range: low === undefined || high === undefined ? undefined : [low, high],
          formatY: formatTick,
          onPoint,
        });
      feed();
    };
    const drawSoon = () => drawInTurn(draw);
    // Created when the observer reports its size: measuring it would force one layout of the page per chart.
    const resized = new ResizeObserver(([{ contentRect }]) => {
      [width, height] = [Math.floor(contentRect.width), Math.floor(contentRect.height)];
      // Its axes are made for a size of type, which follows the window's.
      if (plot && scale !== textScale()) {
        plot.destroy();
        plot = undefined;
      }
      scale = textScale();
      if (plot && width > 0 && height > 0) plot.setSize({ width, height });
      // While its part of the screen was not shown, it missed what came.
      drawSoon();
    });
    resized.observe(element);
    const stopFeeding = live.subscribe(drawSoon);
    const stopZoom = useChartView.subscribe(drawSoon);
    const stopTheme = onThemeChange(() => plot?.redraw());
    return () => {
      stopFeeding();
      stopZoom();
      stopTheme();
      leaveTurn(draw);
      resized.disconnect();
      plot?.destroy();
    };
  }, [
    series,
    points,
    epochsAt,
    logarithmic,
    low,
    high,
    formatTick,
    envelope,
    small,
    axis,
    stepsPerEpoch,
    onPoint,
  ]);

  return <div ref={host} className={className} data-zoomed={zoomed || undefined} aria-hidden="true" />;
}
