/** The worker, which does all computation. The page calls it through Comlink, which only this file uses. */
import { expose } from 'comlink';
import { lazily } from '../base/lazily.ts';
import { holdForLife } from '../base/life-lock.ts';
import { attempt } from '../base/result.ts';
import type { MainApi, Parts } from './api.ts';
import type { WorkerPart } from './part.ts';
import { Services } from './services.ts';

type AnyPart = WorkerPart<keyof Parts>;
type Calls = Record<string, (...args: unknown[]) => unknown>;

/** What the page asks as it starts. */
const first = import.meta.glob<AnyPart>('./{data,device,runs,train,trained}/*.part.ts', {
  eager: true,
  import: 'default',
});
/** Fetched at the first call. */
const later = import.meta.glob<AnyPart>(['./*/*.part.ts', '!./{data,device,runs,train,trained}/*.part.ts'], {
  import: 'default',
});

const services = new Services();

/** A part by the name of its folder: whatever is called of it. */
function answering(path: string, calls: () => Promise<Calls>): [name: string, part: object] {
  const call =
    (_: object, name: string) =>
    (...args: unknown[]) =>
      attempt(async () => (await calls())[name](...args));
  return [path.split('/')[1], new Proxy({}, { get: call })];
}

const parts = [
  ...Object.entries(first).map(([path, part]) => {
    const calls = part(services) as Calls;
    return answering(path, async () => calls);
  }),
  ...Object.entries(later).map(([path, load]) => {
    const fetched = lazily(load);
    let calls: Calls | undefined;
    return answering(path, async () => {
      const part = await fetched();
      return (calls ??= part(services) as Calls);
    });
  }),
];

const main: MainApi = {
  listen: async (port, pageUrl, engine, life, keeps) => {
    services.listen(port, pageUrl, engine, keeps);
    return holdForLife(life);
  },
  pulse: async () => undefined,
};
expose({ ...main, ...Object.fromEntries(parts) });
