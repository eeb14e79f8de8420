import { onThemeChange } from '../../components/use-ink.ts';

/** Tokens read so far. Reading one makes the browser recalculate the styles of the whole page. */
let tokens: Map<string, string> | undefined;

function knownTokens(): Map<string, string> {
  if (!tokens) {
    const known = (tokens = new Map<string, string>());
    onThemeChange(() => known.clear());
  }
  return tokens;
}

/** A token of theme.css, as the theme has it now. */
export function token(name: string): string {
  const known = knownTokens();
  const before = known.get(name);
  if (before !== undefined) return before;
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  known.set(name, value);
  return value;
}
