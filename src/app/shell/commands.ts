import { ACTIONS, labelOf, resume, stopGpuTask, type Action } from '../actions/actions.ts';
import { chooseEngine, obstacleToEngine } from '../actions/engine.ts';
import { openDataDialog } from '../data/dialogs.ts';
import type { IconName } from '../widgets/Icon.tsx';
import { PRESET_DESCRIPTIONS } from '../../run/preset-descriptions.ts';
import { presetsInOrder } from '../../run/presets.ts';
import { lessonTitles } from '../screens/lessons/titles.ts';
import { presenting as texts } from '../messages/presenting.ts';
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

const THEME_NAMES = { system: 'system', light: 'light', dark: 'dark' };

const DATA_DIALOGS: readonly PaletteCommand[] = [
  {
    id: 'images',
    kind: 'Data',
    title: 'Browse images',
    about: 'of the chosen data set, by class',
    icon: 'image',
    perform: () => openDataDialog('gallery'),
  },
  {
    id: 'pictures',
    kind: 'Data',
    title: 'Take pictures by class',
    about: 'own images from the camera, files or the clipboard',
    icon: 'camera',
    perform: () => openDataDialog('pictures'),
  },
  {
    id: 'storage',
    kind: 'Data',
    title: 'Browser storage',
    about: 'remove saved data sets',
    icon: 'trash',
    perform: () => openDataDialog('storage'),
  },
];

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

/** The engines that could compute instead, and the way to stop what has the GPU to itself. */
function deviceCommands(state: AppState): PaletteCommand[] {
  const others = (['gpu', 'cpu'] as const).filter((engine) => engine !== engineOf(state));
  return [
    ...others.map((engine): PaletteCommand => ({
      id: `engine ${engine}`,
      kind: 'Device',
      title: `Compute on the ${ENGINES[engine]}`,
      about: 'engine',
      icon: 'gpu',
      obstacle: obstacleToEngine(state),
      perform: () => chooseEngine(engine),
    })),
    {
      id: 'stop',
      kind: 'Device',
      title: 'Stop measuring',
      about: 'in the Lab, Profile, Doctor, Studies or Inspect',
      icon: 'stop',
      obstacle: state.gpuTask === undefined ? 'Nothing is being measured.' : undefined,
      perform: stopGpuTask,
    },
  ];
}

/** All commands, in the order of the empty search. */
export function commandsOf(state: AppState): PaletteCommand[] {
  const train = hrefOf('train');
  const waits = runIsOpen(state.runState) ? ' Applies to the next run.' : '';
  return [
    ...ACTIONS.filter((action) => isListed(action, state)).map((action): PaletteCommand => ({
      id: `action ${action.name}`,
      kind: 'Run',
      title: labelOf(action, state),
      about: action.title,
      icon: action.icon,
      obstacle: action.obstacle(state),
      perform: () => action.perform(),
    })),
    ...SCREENS.map(({ name, title, about = '', icon }) => ({
      id: `screen ${name}`,
      kind: 'Screen',
      title,
      about,
      icon,
      perform: () => go(hrefOf(name)),
    })),
    {
      id: 'tour',
      kind: 'Help',
      title: 'Tour of a minute',
      about: 'draw a digit, fool the network, train your own, look at its mistakes',
      icon: 'flag',
      perform: () => go(hrefOf('train', '', { tour: 'digits' })),
    },
    ...lessonTitles.map(({ name, title }): PaletteCommand => ({
      id: `lesson ${name}`,
      kind: 'Lesson',
      title,
      about: 'with tasks that check themselves',
      icon: 'book',
      perform: () => go(hrefOf('lessons', name)),
    })),
    {
      id: 'link',
      kind: 'Share',
      title: 'Copy link',
      about: 'to the current settings',
      icon: 'link',
      perform: copyLink,
    },
    {
      id: 'share',
      kind: 'Share',
      title: 'Share…',
      about: 'a link, the picture of a run, or a card for another page',
      icon: 'upload',
      perform: () => openShareDialog(),
    },
    {
      id: 'present',
      kind: 'Screen',
      title: texts.begin,
      about: texts.about,
      icon: 'system',
      perform: togglePresenting,
    },
    ...verbCommands(),
    ...deviceCommands(state),
    ...DATA_DIALOGS,
    ...presetsInOrder.map((preset): PaletteCommand => ({
      id: `preset ${preset.name}`,
      kind: 'Preset',
      title: preset.title,
      about: PRESET_DESCRIPTIONS[preset.name] + waits,
      icon: 'flask',
      perform: () => {
        state.change(formOfPreset(preset));
        go(train);
      },
    })),
    ...state.models.map(({ name, title, description }): PaletteCommand => ({
      id: `model ${name}`,
      kind: 'Model',
      title,
      about: description + waits,
      icon: 'blocks',
      perform: () => {
        state.change({ model: name });
        go(train);
      },
    })),
    ...state.datasets.map(({ name, title, description }): PaletteCommand => ({
      id: `data ${name}`,
      kind: 'Data set',
      title,
      about: description + waits,
      icon: 'image',
      perform: () => {
        state.change({ dataset: name });
        go(train);
      },
    })),
    ...(useRuns.getState().records ?? [])
      .toReversed()
      .map(({ id, name, model, dataset }): PaletteCommand => ({
        id: `run ${id}`,
        kind: 'Saved run',
        title: name,
        about: `${model} on ${dataset}`,
        icon: 'list',
        perform: () => go(hrefOf('runs', id)),
      })),
    ...THEMES.map((theme): PaletteCommand => ({
      id: `theme ${theme}`,
      kind: 'Theme',
      title: `Switch to ${THEME_NAMES[theme]} theme`,
      about: '',
      icon: 'sun',
      perform: () => state.setTheme(theme),
    })),
    {
      id: 'keys',
      kind: 'Shortcuts',
      title: state.hotkeys ? 'Turn off single-key shortcuts' : 'Turn on single-key shortcuts',
      about: 'Space, ., P and ?',
      icon: 'code',
      perform: () => state.setHotkeys(!useApp.getState().hotkeys),
    },
    ...(canKeepScreenOn()
      ? [
          {
            id: 'screen-on',
            kind: 'Screen',
            title: state.keepScreenOn
              ? 'Let the screen turn off while training'
              : 'Keep the screen on while training',
            about: '',
            icon: 'sun',
            perform: () => state.setKeepScreenOn(!useApp.getState().keepScreenOn),
          } satisfies PaletteCommand,
        ]
      : []),
  ];
}

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
