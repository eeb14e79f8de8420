// `node node.mjs BENCHMARK [options]` bundles node/BENCHMARK.ts into the one file dist/node/BENCHMARK.mjs and runs it.
// `node node.mjs --build [BENCHMARK ...]` only makes the files, to be carried to another machine: there they need Node and
// the package `webgpu`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const BENCHMARKS = ['convolutions', 'gemm', 'kernel-lessons'];

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = join(root, 'bench/dist/node');

/** Answers the file's path. */
async function bundle(benchmark) {
  const file = `${benchmark}.mjs`;
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: join(root, `bench/node/${benchmark}.ts`),
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: { external: ['webgpu'], output: { entryFileNames: file, codeSplitting: false } },
    },
    ssr: { noExternal: true },
  });
  return join(outDir, file);
}

const words = process.argv.slice(2);
const onlyBuild = words[0] === '--build';
if (onlyBuild) words.shift();
const wanted = onlyBuild ? (words.length > 0 ? words : BENCHMARKS) : words.slice(0, 1);
const unknown = wanted.length === 0 ? ['nothing'] : wanted.filter((word) => !BENCHMARKS.includes(word));
if (unknown.length > 0) {
  console.error(`expected ${BENCHMARKS.join(' or ')}, found ${unknown.join(', ')}`);
  process.exitCode = 2;
} else if (onlyBuild) {
  for (const benchmark of wanted) console.error(await bundle(benchmark));
} else {
  const file = await bundle(wanted[0]);
  process.exitCode = spawnSync(process.execPath, [file, ...words.slice(1)], { stdio: 'inherit' }).status ?? 1;
}
