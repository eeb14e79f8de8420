/** When printing began; undefined while the page is on a screen. */
let since: Date | undefined;
const listeners = new Set<() => void>();

function change(printing: boolean): void {
  if ((since !== undefined) === printing) return;
  since = printing ? new Date() : undefined;
  for (const listener of listeners) listener();
}

// Firefox copies the page after the first event; a page that is shown as if printed has the last one alone, and may be printed.
const paper = matchMedia('print');
addEventListener('beforeprint', () => change(true));
addEventListener('afterprint', () => change(paper.matches));
paper.addEventListener('change', () => change(paper.matches));

export const printingSince = (): Date | undefined => since;

export function onPrinting(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
