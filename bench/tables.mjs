// `node tables.mjs FILE ...`: reads what the benchmarks printed and prints the page of all tables.
import { runMain } from './vite.mjs';

await runMain('/bench/tables/main.ts');
