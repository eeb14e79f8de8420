import type { Parts } from './api.ts';
import type { Services } from './services.ts';

/**
 * A part of the worker: the default export of `<name>/<name>.part.ts`, which answers its calls. What it throws as a Failure
 * reaches the page as a value.
 */
export type WorkerPart<Name extends keyof Parts> = (services: Services) => Answers<Parts[Name]['calls']>;

type Answers<Calls> = {
  [Call in keyof Calls]: Calls[Call] extends (...args: infer Args) => infer Value
    ? (...args: Args) => Value | Promise<Value>
    : never;
};
