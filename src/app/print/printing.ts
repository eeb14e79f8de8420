/** Whether the page is being printed. */
let printing = false;
const listeners = new Set<() => void>();

function change(to: boolean): void {
  if (printing === to) return;
  printing = to;
  for (const listener of listeners) listener();
}

// Firefox copies the page after the first event; a page that is shown as if printed has the last one alone.
addEventListener('beforeprint', () => change(true));
addEventListener('afterprint', () => change(false));
matchMedia('print').addEventListener('change', ({ matches }) => change(matches));

export const isPrinting = (): boolean => printing;

export function onPrinting(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
