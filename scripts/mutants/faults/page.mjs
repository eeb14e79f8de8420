/** Faults of the page. */
import { beside } from '../mutant.mjs';

export default [
  beside('src/app/heartbeat.ts', '++missing === MISSING', '++missing > MISSING'),
  beside('src/app/heartbeat.ts', 'missing = 0;\n  };', '};'),
  beside('src/app/wake-lock.ts', 'return !ended && keepScreenOn', 'return keepScreenOn'),
  beside('src/app/wake-lock.ts', "&& document.visibilityState === 'visible'", ''),
  beside('src/app/wake-lock.ts', 'if (held === lock) held = undefined;', ''),
  beside('src/app/wake-lock.ts', 'while (isWanted()', 'if (isWanted()'),
];
