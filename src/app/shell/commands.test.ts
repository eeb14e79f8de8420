import { beforeAll, expect, test, vi } from 'vitest';
import type { PaletteCommand, commandsOf as CommandsOf, found as Found } from './commands.ts';
import type { AppState } from '../state/store.ts';

let commandsOf: typeof CommandsOf;
let found: typeof Found;
let state: AppState;

beforeAll(async () => {
  vi.stubGlobal('navigator', { wakeLock: {} });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ commandsOf, found } = await import('./commands.ts'));
  const { useApp } = await import('../state/store.ts');
  state = useApp.getInitialState();
});

const titles = (commands: readonly PaletteCommand[]) => commands.map(({ title }) => title);

test('actions, screens, link and themes are listed, each once', () => {
  const commands = commandsOf(state);
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  expect(titles(commands)).toEqual(
    expect.arrayContaining([
      'Pause',
      'Inspect',
      'Copy link',
      'Switch to dark theme',
      'Keep the screen on while training',
    ]),
  );
  expect(commands.find(({ title }) => title === 'Pause')?.obstacle).toBe('No run is training.');
});

test.each(['idle', 'training', 'saving', 'paused', 'stopped', 'failed'] as const)(
  'while %s, no two actions on the run have one name',
  (runState) => {
    const names = titles(commandsOf({ ...state, runState }).filter(({ kind }) => kind === 'Run'));
    expect(names).toEqual([...new Set(names)]);
    expect(names).toContain('Resume');
  },
);

test('titles that start with the query come first, and every word must match', () => {
  const commands = commandsOf(state);
  expect(titles(found(commands, 'tr')).slice(0, 2)).toEqual(['Train', 'Train']);
  expect(titles(found(commands, 'theme dark'))).toEqual(['Switch to dark theme']);
  expect(titles(found(commands, 'dark theme'))).toEqual(['Switch to dark theme']);
  expect(found(commands, 'zebra')).toEqual([]);
  expect(found(commands, ' ')).toHaveLength(commands.length);
});
