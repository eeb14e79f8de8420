import { describe, expect, test } from 'vitest';
import { readJsonSample } from '../../../e2e/saved-by-0.1/samples.ts';
import { datasets } from '../../data/catalogue.ts';
import { parseModel } from '../../models/file/parse.ts';
import { withStoredSettings } from '../../run/settings/stored.ts';
import { datasetEntries, modelEntries } from '../../worker/train/catalogue.ts';
import type { ModelFile, RunConfig } from '../../worker/api.ts';
import { raceFrom, type RaceText } from '../screens/lab/sizes.ts';
import { parseRoute } from '../route.ts';
import { readSettings } from '../state/read-settings.ts';
import { OWN_MODEL } from '../state/own-model.ts';
import { DEFAULT_SETTINGS, type Settings } from '../state/settings.ts';
import { expanded } from './compress.ts';
import { readLink } from './link.ts';

/** The form of version 0.1. */
type SavedSettings = Record<'optimizer' | 'momentum' | 'warmup', string> & { nesterov: boolean };

interface SavedLinks {
  train: { name: string; link: string; settings: SavedSettings; config: unknown }[];
  lab: { view: string; link: string; settings?: Record<string, string>; race?: RaceText }[];
}

const { train, lab } = readJsonSample<SavedLinks>('links.json');
const entries = datasetEntries(datasets.all(), () => ({ state: 'ready' }));
const names = { models: modelEntries(), datasets: entries };

describe('links that version 0.1 wrote', () => {
  test.each(train)('restore the same settings: $name', async ({ link, settings, config }) => {
    const { screen, parameters } = parseRoute(link);
    expect(screen).toBe('train');
    expect(parameters).toHaveProperty('v');
    const read = readLink(parameters, names);
    expect(read.mistakes).toEqual([]);
    const text = read.model === undefined ? undefined : await expanded(read.model);
    const built: ModelFile | undefined = text === undefined ? undefined : parseModel('net', text);
    // The page names a built model by itself.
    const chosen: Settings = {
      ...DEFAULT_SETTINGS,
      ...read.settings,
      ...(built ? { model: OWN_MODEL } : {}),
    };
    const { warmup, nesterov, momentum, ...same } = settings;
    expect(chosen).toMatchObject({
      ...same,
      warmupEpochs: warmup || '0',
      nesterov: nesterov ? 'yes' : 'no',
      // Other optimisers ignored it.
      momentum: settings.optimizer === 'sgd' ? momentum : '0',
    });
    const run = readSettings(
      chosen,
      entries.find(({ name }) => name === chosen.dataset),
    );
    expect(run.errors).toEqual({});
    const expected = withStoredSettings<RunConfig>('the link', config);
    expect({ ...run.config, ...(built ? { model: built } : {}) }).toEqual(expected);
  });

  test.each(lab)('restore the same choices in the Lab: $link', ({ view, link, settings, race }) => {
    const route = parseRoute(link);
    expect([route.screen, route.view]).toEqual(['lab', view]);
    // What links did not contain yet has its default.
    const added = { cpu: '', threads: '', workgroups: '', sizes: { ...race?.sizes, layout: 'nchw' } };
    if (race) expect(raceFrom(route.parameters)).toEqual({ ...race, ...added });
    else expect(route.parameters).toEqual(settings);
  });
});
