// `node unfamiliar.mjs NETWORK ...`: how much that is no digit the pad notices. See docs/design/pad.md.
import { runMain } from './vite.mjs';

await runMain('/bench/unfamiliar/main.ts');
