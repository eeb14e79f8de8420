import { resolve } from 'node:path';

/** Of the bundler: the modules that one imports at once, by their ids. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * What the page begins with is one script and one style sheet, instead of many that its lazy parts could share: less, and
 * sooner there. The module that starts the page stays by itself, so that a card in another page (embed.html), which shares
 * the rest, does not run it.
 */
export function firstScript(page: string, start: string) {
  const apart = [page, start].map((file) => resolve(file));
  let first: Set<string> | undefined;
  const name = (id: string, graph: Graph): string | null => {
    first ??= reached(apart[0], graph);
    return first.has(id) && !apart.includes(id) ? 'page' : null;
  };
  return { output: { codeSplitting: { groups: [{ name, tags: ['$initial' as const] }] } } };
}

/** What a module imports at once, with all that those import. */
function reached(start: string, graph: Graph): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const one of [...(graph.getModuleInfo(id)?.importedIds ?? [])]) visit(one);
  };
  visit(start);
  return found;
}
