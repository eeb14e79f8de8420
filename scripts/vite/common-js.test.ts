import { readFileSync } from 'node:fs';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { commonJs } from './common-js.mjs';

test("TensorFlow.js's random numbers run from source in Node", async () => {
  const server = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    plugins: [commonJs()],
    optimizeDeps: { noDiscovery: true },
    ssr: { noExternal: [/^@tensorflow\//] },
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  });
  const file = '/peers/node_modules/@tensorflow/tfjs-core/dist/ops/rand_util.js';
  expect(readFileSync(`.${file}`, 'utf8')).toContain('seedrandom');
  const { UniformRandom } = await server.ssrLoadModule(file);
  expect(new UniformRandom(0, 1, 'float32', 1).nextValue()).toBeGreaterThan(0);
  await server.close();
});
