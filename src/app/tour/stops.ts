/** The tours, as data: where each stop is, and when what it asks for is done. */
import { presets } from '../../run/presets.ts';
import { isMoving } from '../actions/actions.ts';
import { live } from '../metrics/live.ts';
import { padDataset } from '../pad/pad-dataset.ts';
import { usePad } from '../pad/pad-store.ts';
import { showDrawing, showOnPad } from '../pad/pad-image.ts';
import { DIGITS, knowsTrained, targetOf } from '../pad/target.ts';
import { parseRoute } from '../route.ts';
import type { TrainPart } from '../screens/train/part.ts';
import { formOfPreset } from '../state/settings.ts';
import { useApp, type AppState } from '../state/store.ts';

/** What the page shows at one moment. */
export interface TourMoment {
  app: AppState;
  pad: ReturnType<typeof usePad.getState>;
  /** Of the run. */
  step: number;
  /** Smoothed; undefined before the first step. */
  loss: number | undefined;
  /** Tests that the run has passed. */
  tests: number;
  screen: string;
}

/** Train is also at the page's plain address. */
export const isOnTrain = (screen = parseRoute(location.hash).screen): boolean =>
  screen === 'train' || screen === '';

export const now = (): TourMoment => ({
  app: useApp.getState(),
  pad: usePad.getState(),
  step: live.step,
  loss: live.curve.points.smoothLoss[live.curve.count - 1],
  tests: live.evaluations.length,
  screen: parseRoute(location.hash).screen,
});

export interface Stop {
  /** Of its texts. */
  name: 'choose' | 'draw' | 'fool' | 'train' | 'loss' | 'mistake' | 'finished';
  /** Of the elements that it speaks of; the first that is shown is marked. */
  target?: string;
  /** Of Train, which shows one part at a time on a phone. Without it, the stop is on the screen that is shown. */
  part?: TrainPart;
  /** It is left out where this holds on arrival, and not counted. */
  unless?: (moment: TourMoment) => boolean;
  /** Prepares the page for it. */
  arrive?: () => void;
  /** Whether what it asks for has been done since it was reached. Absent at the end. */
  done?: (moment: TourMoment, reached: TourMoment) => boolean;
  /** Milliseconds from then to the next stop: to read what came of it, and to finish a drawing. */
  pause: number;
  /** Does it for the person, or leads there: "focus" gives the focus to the target. */
  help?: 'focus' | (() => void);
}

/** Points in turn x and y, from 0 to 1. */
const draw = (...strokes: number[][]) =>
  showDrawing(
    strokes.map((points) => ({ points, colour: '#000000' })),
    { brush: 0.09, target: DIGITS, paper: '#ffffff' },
  );

const isAnswered = ({ pad }: TourMoment): boolean =>
  pad.image !== undefined && !pad.isExample && pad.prediction !== undefined;

/** Half of what guessing among ten classes gives. */
const FALLEN = Math.log(10) / 2;

const DIGITS_TOUR: readonly Stop[] = [
  {
    name: 'choose',
    unless: ({ app }) => knowsTrained(targetOf(padDataset(app))),
    done: ({ app }) => knowsTrained(targetOf(padDataset(app))),
    pause: 0,
    help: () => useApp.getState().change(formOfPreset(presets.get('lenet5-digits'))),
  },
  {
    name: 'draw',
    target: '[data-tour="pad"]',
    part: 'try',
    done: (moment, reached) => isAnswered(moment) && moment.pad.image !== reached.pad.image,
    pause: 4000,
    help: () => draw([0.3, 0.24, 0.7, 0.24, 0.45, 0.8], [0.36, 0.52, 0.64, 0.52]),
  },
  {
    name: 'fool',
    target: '[data-tour="pad"]',
    part: 'try',
    arrive: () => showOnPad(undefined),
    done: isAnswered,
    pause: 6000,
    help: () => draw([0.24, 0.8, 0.5, 0.2, 0.76, 0.8], [0.34, 0.58, 0.66, 0.58]),
  },
  {
    name: 'train',
    target: '[data-verb="Train"], [data-verb="Pause"]',
    part: 'try',
    unless: ({ app }) => isMoving(app),
    done: ({ app, step }) => isMoving(app) && step > 0,
    pause: 1500,
    help: 'focus',
  },
  {
    name: 'loss',
    target: '[data-tour="loss"]',
    part: 'curves',
    done: ({ app, loss = Infinity, tests }, reached) =>
      loss < FALLEN || tests > reached.tests || !isMoving(app),
    pause: 8000,
  },
  {
    name: 'mistake',
    target: '[data-tour="mistakes"]',
    part: 'mistakes',
    done: ({ screen }) => screen === 'inspect',
    pause: 0,
    help: 'focus',
  },
  { name: 'finished', pause: 0 },
];

export const TOURS: Readonly<Record<string, readonly Stop[]>> = { digits: DIGITS_TOUR };
