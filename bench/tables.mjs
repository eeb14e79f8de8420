// `node tables.mjs FILE ...`: reads what the benchmarks printed and prints the tables of convolutions and matrix products.
import { runMain } from './vite.mjs';

await runMain('/bench/tables/main.ts');
