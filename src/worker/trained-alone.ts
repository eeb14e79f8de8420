/** The worker of a page that has the pad alone: the network that comes with the page, and nothing else. */
import { expose } from 'comlink';
import { holdForLife } from '../base/life-lock.ts';
import { attempt } from '../base/result.ts';
import type { WorkerApi } from './api.ts';
import { predictTrained } from './trained/trained.ts';

let folder = '';

const api: Pick<WorkerApi, 'listen' | 'pulse' | 'trained'> = {
  listen: async (_events, pageUrl, _engine, life) => {
    folder = pageUrl;
    return holdForLife(life);
  },
  pulse: async () => undefined,
  trained: { predictTrained: (image) => attempt(() => predictTrained(image, folder, fetch)) },
};
expose(api);
