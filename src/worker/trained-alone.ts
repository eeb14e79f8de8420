/** The worker of a page that has the pad alone: the network that comes with the page, and nothing else. */
import { expose } from 'comlink';
import { holdForLife } from '../base/life-lock.ts';
import { attempt, fail } from '../base/result.ts';
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

/** What else a pad may ask about its image. */
const nothing = new Proxy(
  {},
  {
    get: (_, name) => async () =>
      fail({ code: 'not-found', message: `This card cannot answer ${String(name)}.` }),
  },
);
expose(new Proxy(api, { get: (known, part) => Reflect.get(known, part) ?? nothing }));
