// `node growth.mjs models DIR` writes networks of growing depth and width; `node growth.mjs draw FILE ...` draws how the time of
// their steps grows, from what `wgrad bench step --profile` printed, as dist/results/growth.svg and a table.
import { runMain } from './vite.mjs';

await runMain('/bench/growth/main.ts');
