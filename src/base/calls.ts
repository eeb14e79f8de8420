/** Calls of functions on another thread: each is a message that names one by its path, and gets one answer. */

interface Call {
  id: number;
  path: readonly string[];
  args: readonly unknown[];
}

type Answer = { id: number; value: unknown } | { id: number; error: string };

/** What messages go to and come from: a worker, or in a worker `self`. */
interface Side {
  postMessage(message: unknown, transferred: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * The functions that `answerCalls` answers on the other side: `callsTo(worker).train.pause()`. Ports among the arguments
 * move there; everything else is copied. What a function throws rejects the call.
 */
export function callsTo(other: Side): unknown {
  const waiting = new Map<number, Waiting>();
  let last = 0;
  other.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if ('error' in data) reject?.(new Error(data.error));
    else resolve?.(data.value);
  });
  const call = (path: readonly string[], args: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const message: Call = { id: ++last, path, args };
      other.postMessage(
        message,
        args.filter((arg) => arg instanceof MessagePort),
      );
      waiting.set(message.id, { resolve, reject });
    });
  const at = (path: readonly string[]): object =>
    new Proxy(() => undefined, {
      get: (_, name) => at([...path, String(name)]),
      apply: (_, __, args: unknown[]) => call(path, args),
    });
  return at([]);
}

/** Answers the calls of the other side by the functions of an object, or of the objects in it. */
export function answerCalls(other: Side, functions: object): void {
  other.addEventListener('message', ({ data: { id, path, args } }: MessageEvent<Call>) => {
    const answer = async () => {
      const [name, ...places] = path.toReversed();
      const owner = places.reduceRight<object>((at, place) => Reflect.get(at, place) as object, functions);
      const value: unknown = await (Reflect.get(owner, name) as (...all: unknown[]) => unknown)(...args);
      other.postMessage({ id, value } satisfies Answer, []);
    };
    answer().catch((error: unknown) => {
      const { message } = error as Error;
      other.postMessage({ id, error: message } satisfies Answer, []);
    });
  });
}
