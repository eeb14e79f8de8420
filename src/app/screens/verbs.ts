/**
 * What a person can do on a screen, as data: its button reads it from here, and so does the command palette, which opens
 * the screen and presses the button. Small, because the palette loads all of it and no screen.
 */
import { verbs } from '../messages/en/verbs.tsx';
import { hrefOf } from '../route.ts';
import type { IconName } from '../widgets/Icon.tsx';
import { worded } from '../widgets/verbs.ts';

const verb = (name: keyof typeof verbs, icon: IconName, at: string) =>
  worded(() => verbs[name], { icon, at });

export const VERBS = {
  undo: verb('undo', 'undo', hrefOf('build')),
  redo: verb('redo', 'redo', hrefOf('build')),
  bringToTrain: verb('bringToTrain', 'play', hrefOf('build')),
  openModel: verb('openModel', 'upload', hrefOf('build')),
  exportModel: verb('exportModel', 'download', hrefOf('build')),
  testImage: verb('testImage', 'image', hrefOf('inspect', 'image')),
  predict: verb('predict', 'lens', hrefOf('inspect', 'predict')),
  race: verb('race', 'flag', hrefOf('lab', 'race')),
  suite: verb('suite', 'flag', hrefOf('lab', 'presets')),
  map: verb('map', 'flag', hrefOf('lab', 'map')),
  ladder: verb('ladder', 'flag', hrefOf('lab', 'ladder')),
  tune: verb('tune', 'flag', hrefOf('lab', 'tune')),
  kernel: verb('kernel', 'play', hrefOf('lab', 'kernels')),
  profile: verb('profile', 'gauge', hrefOf('profile')),
  doctor: verb('doctor', 'pulse', hrefOf('doctor')),
  study: verb('study', 'flag', hrefOf('studies')),
  sweep: verb('sweep', 'blocks', hrefOf('runs')),
  trainSweep: verb('trainSweep', 'play', hrefOf('runs', 'sweep')),
  importRuns: verb('importRuns', 'upload', hrefOf('runs')),
};
