// `node run.mjs [--batch-size N] [--rounds N] [--round-ms N]`: wgrad and its peers train LeNet-5 in turns in one browser.
import { runMain } from './vite.mjs';

await runMain('/bench/browser/main.ts');
