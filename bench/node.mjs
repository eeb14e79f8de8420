// `node node.mjs [--batch-size N,...] [--rounds N] [--round-ms N]`: bundles node/main.ts into the one file
// dist/node/lenet5-training.mjs and runs it. `node node.mjs --build` only makes it, to be carried to another machine: there it
// needs Node, the package `webgpu`, and public/datasets/digits in the working directory or above the file.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = join(root, 'bench/dist/node');
const file = 'lenet5-training.mjs';

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    ssr: join(root, 'bench/node/main.ts'),
    outDir,
    target: 'node20',
    minify: false,
    rollupOptions: { external: ['webgpu'], output: { entryFileNames: file, codeSplitting: false } },
  },
  ssr: { noExternal: true },
});

const words = process.argv.slice(2);
if (words.includes('--build')) console.error(join(outDir, file));
else {
  process.exitCode =
    spawnSync(process.execPath, [join(outDir, file), ...words], { stdio: 'inherit' }).status ?? 1;
}
