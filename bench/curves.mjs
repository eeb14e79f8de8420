// `node curves.mjs NAME TARGET-PERCENT TITLE FILE ...`: what runs of `wgrad train` printed, a file each, as dist/results/NAME.svg
// and a table.
import { runMain } from './vite.mjs';

await runMain('/bench/curves/main.ts');
