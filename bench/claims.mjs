// `node claims.mjs`: writes the measured sections of the documents that documents.ts lists again, from results/.
import { runMain } from './vite.mjs';

await runMain('/bench/claims/main.ts');
