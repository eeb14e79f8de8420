/** The view of the curves, the same for all charts of the run. */
import { create } from 'zustand';

/** Time is that of training, in seconds. */
export type CurveAxis = 'step' | 'epoch' | 'time';

interface ChartView {
  axis: CurveAxis;
  /** From and to, in the unit of the axis; undefined shows the whole run. */
  zoom: readonly [number, number] | undefined;
  setAxis(axis: CurveAxis): void;
  setZoom(zoom: readonly [number, number] | undefined): void;
}

export const useChartView = create<ChartView>()((set) => ({
  axis: 'step',
  zoom: undefined,
  // A range in one unit means nothing in another.
  setAxis: (axis) => set({ axis, zoom: undefined }),
  setZoom: (zoom) => set({ zoom }),
}));
