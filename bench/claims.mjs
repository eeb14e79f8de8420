// `node claims.mjs`: writes the measured sections of README.md, docs/features.md and bench/README.md again, from results/.
import { runMain } from './vite.mjs';

await runMain('/bench/claims/main.ts');
