/** The worker, which does all computation. The page calls it through Comlink, which only this file uses. */
import { expose } from 'comlink';
import { holdForLife } from '../base/life-lock.ts';
import type { Parts, WorkerApi } from './api.ts';
import type { WorkerPart } from './part.ts';
import { Services } from './services.ts';

const parts = import.meta.glob<WorkerPart<keyof Parts>>('./*/handlers.ts', {
  eager: true,
  import: 'default',
});

const services = new Services();
const main: Parts['main']['calls'] = {
  listen: async (port, pageUrl, engine, life) => {
    services.listen(port, pageUrl, engine);
    return holdForLife(life);
  },
  pulse: async () => undefined,
};
const api = Object.assign(main, ...Object.values(parts).map((part) => part(services))) as WorkerApi;
expose(api);
