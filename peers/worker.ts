/** A worker for one contender: what it does there, and whatever breaks, leaves the page alone. */
import { Runner } from './runner.ts';

/** A call of one of the runner's functions. */
interface Call {
  id: number;
  name: keyof Runner;
  args: unknown[];
}

/** A call's result, or how it failed. */
export type Answer = { id: number } & ({ value: unknown } | { error: string });

const runner = new Runner();

addEventListener('message', async ({ data }: MessageEvent<Call>) => {
  const { id, name, args } = data;
  const answer = (result: { value: unknown } | { error: string }) => postMessage({ id, ...result });
  try {
    answer({ value: await (runner[name] as (...args: unknown[]) => Promise<unknown>)(...args) });
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) });
  }
});
