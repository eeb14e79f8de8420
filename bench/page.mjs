import { runMain } from './vite.mjs';

await runMain('/bench/page/main.ts');
