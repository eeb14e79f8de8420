import { useApp } from '../../../state/store.ts';
import { placeOf } from '../../../charts/curve/axis.ts';
import { stepsAnEpoch } from '../../../charts/curve/epochs.ts';
import type { Axis } from '../../../charts/curve/view.ts';
import type { Curve } from '../../../metrics/curve.ts';

/** Where the newest point lies. */
export const endOf = (curve: Curve, axis: Axis): number =>
  placeOf(curve, axis, stepsAnEpoch(useApp.getState()), curve.points.step[curve.count - 1] ?? 0);
