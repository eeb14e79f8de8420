import { ACTIONS, labelOf, resume, stopGpuTask, type Action } from '../actions/actions.ts';
import { chooseEngine, obstacleToEngine } from '../actions/engine.ts';
import { openDataDialog } from '../data/dialogs.ts';
import type { IconName } from '../widgets/Icon.tsx';
import { PRESET_DESCRIPTIONS } from '../../run/preset-descriptions.ts';
import { presetsInOrder } from '../../run/presets.ts';
import { lessonTitles } from '../screens/lessons/titles.ts';
import { presenting as texts } from '../messages/en/presenting.tsx';
import { togglePresenting } from '../presenting.ts';
import { go, hrefOf, parseRoute } from '../route.ts';
import { THEMES } from '../state/preferences.ts';
import { formOfPreset } from '../state/settings.ts';
import { runHasPaused, runIsOpen } from '../state/run.ts';
import { useApp, type AppState } from '../state/store.ts';
import { SCREENS } from '../screens/index.ts';
import { VERBS } from '../screens/verbs.ts';
import { ENGINES, engineOf } from '../state/device.ts';
import { copyLink } from '../share/CopyLink.tsx';
import { openShareDialog } from '../share/dialog.ts';
import { canKeepScreenOn } from '../keep-screen-on.ts';
import { useRuns } from '../journal/runs-store.ts';
import { pressWhenShown, shownVerbs, type Verb, type VerbButton } from '../widgets/verbs.ts';

/** An entry of the command palette. */
export interface PaletteCommand {
  id: string;
  /** What it belongs to: "Screen". */
  kind: string;
  title: string;
  /** More text to find it by. */
  about: string;
  icon: IconName;
  /** Why it is not available now. */
  obstacle?: string | undefined;
  perform(): void | Promise<unknown>;
}

type OfKind = Omit<PaletteCommand, 'kind' | 'icon'> & { icon?: IconName };

/** Commands of one kind, with its icon where they have none of their own. */
const ofKind = (kind: string, icon: IconName, commands: readonly OfKind[]): PaletteCommand[] =>
  commands.map((command) => ({ kind, icon, ...command }));

/** A paused run has one way to resume: Train, which then has the name of the other. */
const isListed = (action: Action, { runState }: AppState): boolean =>
  action !== resume || !runHasPaused(runState);

/** What the screens offer: the verbs of all of them, and every other button of the one that is shown. */
function verbCommands(): PaletteCommand[] {
  const shown = [...shownVerbs].filter(([, { verb }]) => !ACTIONS.some((action) => action === verb));
  const verbs = Object.values<Verb>(VERBS);
  return [
    ...shown.map(([element, button]) => commandOf(element, button)),
    ...verbs.filter((verb) => !shown.some(([, button]) => button.verb === verb)).map(commandAt),
  ];
}

/** Presses a button that is shown. */
const commandOf = (
  element: HTMLElement,
  { verb, icon, title, obstacle, press }: VerbButton,
): PaletteCommand => ({
  id: `shown ${verb?.name ?? element.textContent}`,
  kind: verb ? screenOf(verb) : 'Shown',
  title: element.textContent,
  about: [verb?.name === element.textContent ? '' : verb?.name, title].filter(Boolean).join(': '),
  icon: icon ?? 'more',
  obstacle,
  perform: press,
});

/** Opens a verb's screen and presses its button. */
const commandAt = (verb: Verb): PaletteCommand => ({
  id: `verb ${verb.at} ${verb.name}`,
  kind: screenOf(verb),
  title: verb.name,
  about: verb.title,
  icon: verb.icon,
  perform: () => {
    pressWhenShown(verb);
    go(verb.at ?? '');
  },
});

const screenOf = ({ at = '' }: Verb): string =>
  SCREENS.find(({ name }) => name === parseRoute(at).screen)?.title ?? '';

/** What acts on the run now. */
const runCommands = (state: AppState): PaletteCommand[] =>
  ACTIONS.filter((action) => isListed(action, state)).map((action) => ({
    id: `action ${action.name}`,
    kind: 'Run',
    title: labelOf(action, state),
    about: action.title,
    icon: action.icon,
    obstacle: action.obstacle(state),
    perform: () => action.perform(),
  }));

/** Screens, the tour, lessons, and what is passed on. */
const pageCommands = (): PaletteCommand[] => [
  ...SCREENS.map(({ name, title, about = '', icon }) => ({
    id: `screen ${name}`,
    kind: 'Screen',
    title,
    about,
    icon,
    perform: () => go(hrefOf(name)),
  })),
  ...ofKind('Help', 'flag', [
    {
      id: 'tour',
      title: 'Tour of a minute',
      about: 'draw a digit, fool the network, train your own, look at its mistakes',
      perform: () => go(hrefOf('train', '', { tour: 'digits' })),
    },
  ]),
  ...ofKind(
    'Lesson',
    'book',
    lessonTitles.map(({ name, title }) => ({
      id: `lesson ${name}`,
      title,
      about: 'with tasks that check themselves',
      perform: () => go(hrefOf('lessons', name)),
    })),
  ),
  ...ofKind('Share', 'link', [
    { id: 'link', title: 'Copy link', about: 'to the current settings', perform: copyLink },
    {
      id: 'share',
      title: 'Share…',
      about: 'a link, the picture of a run, or a card for another page',
      icon: 'upload',
      perform: () => openShareDialog(),
    },
  ]),
  ...ofKind('Screen', 'system', [
    { id: 'present', title: texts.begin, about: texts.about, perform: togglePresenting },
  ]),
];

/** The engines that could compute instead, and the way to stop what has the GPU to itself. */
const deviceCommands = (state: AppState): PaletteCommand[] =>
  ofKind('Device', 'gpu', [
    ...(['gpu', 'cpu'] as const)
      .filter((engine) => engine !== engineOf(state))
      .map((engine) => ({
        id: `engine ${engine}`,
        title: `Compute on the ${ENGINES[engine]}`,
        about: 'engine',
        obstacle: obstacleToEngine(state),
        perform: () => chooseEngine(engine),
      })),
    {
      id: 'stop',
      title: 'Stop measuring',
      about: 'in the Lab, Profile, Doctor, Studies or Inspect',
      icon: 'stop',
      obstacle: state.gpuTask === undefined ? 'Nothing is being measured.' : undefined,
      perform: stopGpuTask,
    },
  ]);

const DATA_DIALOGS = ofKind('Data', 'image', [
  {
    id: 'images',
    title: 'Browse images',
    about: 'of the chosen data set, by class',
    perform: () => openDataDialog('gallery'),
  },
  {
    id: 'pictures',
    title: 'Take pictures by class',
    about: 'own images from the camera, files or the clipboard',
    icon: 'camera',
    perform: () => openDataDialog('pictures'),
  },
  {
    id: 'storage',
    title: 'Browser storage',
    about: 'remove saved data sets',
    icon: 'trash',
    perform: () => openDataDialog('storage'),
  },
]);

/** Presets, models and data sets, which are chosen in Train. */
function choiceCommands({ runState, models, datasets, change }: AppState): PaletteCommand[] {
  const waits = runIsOpen(runState) ? ' Applies to the next run.' : '';
  const choice = (id: string, title: string, about: string, to: Parameters<typeof change>[0]): OfKind => ({
    id,
    title,
    about: about + waits,
    perform() {
      change(to);
      go(hrefOf('train'));
    },
  });
  return [
    ...ofKind(
      'Preset',
      'flask',
      presetsInOrder.map((preset) =>
        choice(`preset ${preset.name}`, preset.title, PRESET_DESCRIPTIONS[preset.name], formOfPreset(preset)),
      ),
    ),
    ...ofKind(
      'Model',
      'blocks',
      models.map(({ name, title, description }) =>
        choice(`model ${name}`, title, description, { model: name }),
      ),
    ),
    ...ofKind(
      'Data set',
      'image',
      datasets.map(({ name, title, description }) =>
        choice(`data ${name}`, title, description, { dataset: name }),
      ),
    ),
  ];
}

/** Kept runs, the newest first. */
const savedRunCommands = (): PaletteCommand[] =>
  ofKind(
    'Saved run',
    'list',
    (useRuns.getState().records ?? [])
      .toReversed()
      .map(({ id, name, model, dataset }) => ({
        id: `run ${id}`,
        title: name,
        about: `${model} on ${dataset}`,
        perform: () => go(hrefOf('runs', id)),
      })),
  );

/** What a person prefers of the page. */
const preferenceCommands = (state: AppState): PaletteCommand[] => [
  ...ofKind(
    'Theme',
    'sun',
    THEMES.map((theme) => ({
      id: `theme ${theme}`,
      title: `Switch to ${theme} theme`,
      about: '',
      perform: () => state.setTheme(theme),
    })),
  ),
  ...ofKind('Shortcuts', 'code', [
    {
      id: 'keys',
      title: state.hotkeys ? 'Turn off single-key shortcuts' : 'Turn on single-key shortcuts',
      about: 'Space, ., P and ?',
      perform: () => state.setHotkeys(!useApp.getState().hotkeys),
    },
  ]),
  ...ofKind('Screen', 'sun', [
    {
      id: 'screen-on',
      title: state.keepScreenOn
        ? 'Let the screen turn off while training'
        : 'Keep the screen on while training',
      about: '',
      perform: () => state.setKeepScreenOn(!useApp.getState().keepScreenOn),
    },
  ]).filter(() => canKeepScreenOn()),
];

/** All commands, in the order of the empty search. */
export const commandsOf = (state: AppState): PaletteCommand[] => [
  ...runCommands(state),
  ...pageCommands(),
  ...verbCommands(),
  ...deviceCommands(state),
  ...DATA_DIALOGS,
  ...choiceCommands(state),
  ...savedRunCommands(),
  ...preferenceCommands(state),
];

/** The commands that contain every word, best first: titles that start with the query, titles that contain it, then others. */
export function found(commands: readonly PaletteCommand[], query: string): PaletteCommand[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...commands];
  const rank = ({ title, kind, about }: PaletteCommand): number => {
    const [name, all] = [title.toLowerCase(), `${kind} ${title} ${about}`.toLowerCase()];
    if (!words.every((word) => all.includes(word))) return -1;
    if (name.startsWith(words.join(' '))) return 0;
    return words.every((word) => `${kind} ${title}`.toLowerCase().includes(word)) ? 1 : 2;
  };
  return commands
    .map((command) => ({ command, at: rank(command) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ command }) => command);
}
