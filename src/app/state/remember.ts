/** What the browser keeps for the next visit. Browsers that block storage throw on any access; the page then forgets. */

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`wgrad.${key}`, value);
  } catch {
    return;
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`wgrad.${key}`);
  } catch {
    return null;
  }
}

/** Of this tab alone, until it is closed; a reload leaves it. */
export function rememberHere(key: string, value: string): void {
  try {
    sessionStorage.setItem(`wgrad.${key}`, value);
  } catch {
    return;
  }
}

export function recallHere(key: string): string | null {
  try {
    return sessionStorage.getItem(`wgrad.${key}`);
  } catch {
    return null;
  }
}
