/** Calls across threads: one side has functions, the other calls them by name. */

/** A worker, a worker's own scope, or a port that was started. */
export interface Line {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

interface Call {
  id: number;
  name: string;
  args: unknown[];
}

type Answer = { id: number } & ({ value: unknown } | { error: string });

/** Answers calls with the functions of `api`. What one throws, its caller gets, as an error with the same message. */
export function answerCalls(line: Line, api: object): void {
  const functions = api as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  const answer = async ({ data: { id, name, args } }: MessageEvent<Call>) => {
    const post = (message: Answer) => line.postMessage(message, []);
    try {
      post({ id, value: await functions[name](...args) });
    } catch (error) {
      post({ id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  line.addEventListener('message', (event) => void answer(event));
}

/** The functions of the other side. Ports among their arguments move there; all else is copied. */
export function callsOver<Api extends object>(line: Line): Api {
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  line.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  const call = (name: string, args: unknown[]) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, (answer) => {
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.value);
      });
      const ports = args.filter((one) => one instanceof MessagePort);
      line.postMessage({ id, name, args } satisfies Call, ports);
    });
  return new Proxy({} as Api, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        call(String(name), args),
  });
}
