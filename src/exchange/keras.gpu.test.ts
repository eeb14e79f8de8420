/** What is exported as Keras source answers in Keras as in wgrad, where there is a Python that has Keras and JAX. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { elements } from '../base/shape.ts';
import { count } from '../base/testing/tier.ts';
import { expectClose } from '../engine/testing/check.ts';
import { testDevice } from '../engine/testing/gpu.ts';
import { models } from '../models/index.ts';
import type { Model } from '../models/model.ts';
import { EXPORTERS } from './exporters.ts';
import { importNetwork } from './importers.ts';
import { logitsOf, pixels, trained } from './testing/answers.ts';
import { ODD_MODELS } from './testing/odd-models.ts';
import { pythonWith } from './testing/python.ts';

const device = await testDevice();
afterAll(() => device.destroy());

const python = pythonWith('keras', 'jax');
const JUDGE = fileURLToPath(new URL('testing/in_keras.py', import.meta.url));
const IMAGES = count(2, 2, 64);

/** Layers that Keras does not have. */
const NOT_IN_KERAS: Readonly<Record<string, string>> = {
  dilation: '“pool” cannot be written for Keras: its pooling has no dilation',
  'unequal-padding': '“d” cannot be written for Keras: its padding would count in the mean',
  sparse: '“a” cannot be written for Keras: its convolutions have either a stride or a dilation, not both',
  adaptive: '“p” cannot be written for Keras: windows of 5 × 3 do not divide 9 × 8',
};

/** Layers that are several in Keras, which no longer say that they are one. */
const NOT_BACK: Readonly<Record<string, string>> = {
  borders: 'layer "pad" (Pad): wgrad has no layer for it',
  maxout: 'layer "reshape" (Reshape): wgrad has no layer for it',
  threshold: 'expected the output of a layer, found a constant',
  activations: 'expected the output of a layer, found a constant',
};
const WRITTEN = ODD_MODELS.filter(({ name }) => NOT_IN_KERAS[name] === undefined);
/** Of the registered ones, the larger take minutes. */
const CHOSEN = models
  .all()
  .filter(
    ({ name, input }) =>
      count(Number(name === 'lenet5'), Number(name === 'lenet5'), 1) === 1 && elements(input) < 1e4,
  );

const exported = (model: Model) => EXPORTERS.keras.write(trained(model), model.name);

test.each(Object.entries(NOT_IN_KERAS))('%s: the obstacle is named', async (name, obstacle) => {
  const model = ODD_MODELS.find((one) => one.name === name) as Model;
  await expect(exported(model)).rejects.toThrow(obstacle);
});

test.runIf(python)(
  'networks answer in Keras as here, loaded from their source and saved by Keras, whose file answers the same here',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'wgrad-keras-'));
    const networks = [...WRITTEN, ...CHOSEN].map((model) => ({ model, folder: join(root, model.name) }));
    try {
      for (const { model, folder } of networks) {
        mkdirSync(folder);
        for (const [path, bytes] of await exported(model)) writeFileSync(join(folder, path), bytes);
        writeFileSync(join(folder, 'images'), pixels(IMAGES, model));
      }
      const judged = spawnSync(python as string, [JUDGE, ...networks.map(({ folder }) => folder)], {
        encoding: 'utf8',
        env: { ...process.env, KERAS_BACKEND: 'jax' },
      });
      expect(judged.status, judged.stderr).toBe(0);
      for (const { model, folder } of networks) {
        const file = readFileSync(join(folder, 'logits'));
        const found = new Float32Array(Uint8Array.from(file).buffer);
        const own = trained(model);
        const images = pixels(IMAGES, model);
        expectClose(model.name, found, await logitsOf(device, own, images), 1e-5);
        const saved = new Uint8Array(readFileSync(join(folder, 'model.keras')));
        const back = importNetwork('model.keras', saved);
        const obstacle = NOT_BACK[model.name];
        if (obstacle !== undefined) {
          await expect(back).rejects.toThrow(obstacle);
          continue;
        }
        const { info } = own;
        expectClose(model.name, await logitsOf(device, { ...(await back), info }, images), found, 1e-5);
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);
