import type { Parts } from './api.ts';
import type { Services } from './services.ts';

/** A part of the worker: the default export of its folder's handlers.ts, which creates its share of the API. */
export type WorkerPart<Name extends keyof Parts> = (services: Services) => Parts[Name]['calls'];
