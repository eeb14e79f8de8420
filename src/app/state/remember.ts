/** What the browser keeps for the next visit. Browsers that block storage throw on any access; the page then forgets. */

/** False for a card in another page (embed.html), which stores nothing on the visitor's machine. */
export const KEEPS = !('document' in globalThis && 'embedded' in document.documentElement.dataset);

/** @throws where the page forgets */
function storage(kind: 'localStorage' | 'sessionStorage'): Storage {
  if (!KEEPS) throw new Error('a card keeps nothing');
  return globalThis[kind];
}

export function remember(key: string, value: string): void {
  try {
    storage('localStorage').setItem(`wgrad.${key}`, value);
  } catch {
    return;
  }
}

export function recall(key: string): string | null {
  try {
    return storage('localStorage').getItem(`wgrad.${key}`);
  } catch {
    return null;
  }
}

/** Of this tab alone, until it is closed; a reload leaves it. */
export function rememberHere(key: string, value: string): void {
  try {
    storage('sessionStorage').setItem(`wgrad.${key}`, value);
  } catch {
    return;
  }
}

export function recallHere(key: string): string | null {
  try {
    return storage('sessionStorage').getItem(`wgrad.${key}`);
  } catch {
    return null;
  }
}
