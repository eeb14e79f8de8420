import { resolve } from 'node:path';

/** Of the bundler: the modules that one imports at once, by their ids. */
interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** What a card in another page begins with: embed.html, and the card that most will choose. */
const CARD = ['src/app/embed/main.tsx', 'src/app/embed/PadCard.tsx'];
const PAGE = 'src/app/main.tsx';

/**
 * What the page begins with is one script, instead of many that its lazy parts could share: less, and sooner there. What a card
 * in another page needs of it is cut off. The entry stays by itself, so that no card runs it.
 */
export function firstScripts(root = process.cwd()) {
  let page: Set<string> | undefined;
  let card: Set<string> | undefined;
  const name = (id: string, graph: Graph): string | null => {
    page ??= reached([resolve(root, PAGE)], graph);
    card ??= reached(
      CARD.map((file) => resolve(root, file)),
      graph,
    );
    if (!page.has(id) || id === resolve(root, PAGE)) return null;
    return card.has(id) ? 'card' : 'page';
  };
  return { output: { codeSplitting: { groups: [{ name, tags: ['$initial' as const] }] } } };
}

function reached(entries: readonly string[], graph: Graph): Set<string> {
  const found = new Set<string>();
  const visit = (id: string) => {
    if (found.has(id)) return;
    found.add(id);
    for (const one of [...(graph.getModuleInfo(id)?.importedIds ?? [])]) visit(one);
  };
  for (const entry of entries) visit(entry);
  return found;
}
