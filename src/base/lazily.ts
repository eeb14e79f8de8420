/** Code that is fetched on first use, so that the page starts without it. */
import { Failure } from './result.ts';

/**
 * @param load `() => import('./part.ts')`: bundlers put modules that nothing else imports into a separate file
 * @returns a function that returns the module; it throws Failure `download` if it could not be fetched
 */
export function lazily<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch (cause) {
      throw new Failure(
        'download',
        `Could not load part of the app: ${cause instanceof Error ? cause.message : String(cause)}`,
        // Browsers remember what could not be loaded as such until then.
        'Check your connection and reload the page.',
        { cause },
      );
    }
  };
}
