import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { count } from '../../base/testing/tier.ts';
import { mutate } from '../../base/testing/mutate.ts';
import { readZip } from '../../data/formats/zip.ts';
import { writeZip } from '../../data/formats/zip-write.ts';
import { expectResultOrFailure } from '../../base/testing/mutated.ts';
import { fromKeras } from './read.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)));

/** The files in the archive of a model. */
const entriesOf = async () =>
  Promise.all(
    readZip('pixels.keras', fixture('pixels.keras'), { files: 9, bytes: 2 ** 20 }).map(
      async ({ path, read }) => ({ path, bytes: new Uint8Array(await read()) }),
    ),
  );

/** An archive with some of its files replaced or, if undefined, without them. */
async function changed(files: Readonly<Record<string, Uint8Array<ArrayBuffer> | undefined>>) {
  const entries = (await entriesOf()).flatMap(({ path, bytes }) => {
    const own = path in files ? files[path] : bytes;
    return own ? [{ path, bytes: own }] : [];
  });
  return writeZip(entries);
}

const text = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));

test('weights without a model are refused with what to save', async () => {
  await expect(fromKeras('only.weights.h5', fixture('only.weights.h5'))).rejects.toMatchObject({
    code: 'bad-file',
    message: 'only.weights.h5: expected a model, found only its weights',
    advice: 'Save the whole model: model.save("net.keras").',
  });
  for (const missing of ['config.json', 'model.weights.h5'])
    await expect(fromKeras('n.keras', await changed({ [missing]: undefined }))).rejects.toThrow(
      `n.keras: expected ${missing} in it, found none`,
    );
});

test('what is no file of Keras', async () => {
  for (const bytes of [new Uint8Array(), new Uint8Array(3000), fixture('pixels.h5').subarray(0, 700)])
    await expect(fromKeras('n.h5', new Uint8Array(bytes))).rejects.toThrow(
      /^n\.h5: not an HDF5 file, or a damaged one/,
    );
  const broken = await changed({ 'config.json': new TextEncoder().encode('{"class_name": ') });
  await expect(fromKeras('n.keras', broken)).rejects.toThrow(/^n\.keras, configuration, character \d+/);
});

test('a layer that is not there is named, and a layer without weights', async () => {
  const layer = (class_name: string, config: object) => ({ class_name, config });
  const sequential = (...layers: object[]) => ({ class_name: 'Sequential', config: { name: 'n', layers } });
  const input = layer('InputLayer', { name: 'in', batch_shape: [null, 8, 8, 1] });
  const read = async (config: object) => fromKeras('n.keras', await changed({ 'config.json': text(config) }));
  await expect(read(sequential(input, layer('LSTM', { name: 'memory' })))).rejects.toThrow(
    'n.keras, layer "memory" (LSTM): wgrad has no layer for it',
  );
  const conv = layer('Conv2D', { name: 'c', filters: 2, kernel_size: [3, 3] });
  await expect(read(sequential(input, conv))).rejects.toThrow('expected the weight "c/kernel", found none');
  await expect(read(sequential())).rejects.toThrow(/n\.keras: .*layers/);
});

test('infinity is read as Python writes it', async () => {
  const config = (value: string) =>
    changed({
      'config.json': new TextEncoder().encode(
        `{"class_name": "Sequential", "config": {"name": "n", "layers": [
          {"class_name": "InputLayer", "config": {"name": "in", "batch_shape": [null, 8, 8, 1]}},
          {"class_name": "MaxPooling2D", "config": {"name": "pool", "strides": [${value}, 2]}}]}}`,
      ),
    });
  await expect(fromKeras('n.keras', await config('-Infinity'))).rejects.toThrow(/strides.*found -Infinity/);
  await expect(fromKeras('n.keras', await config('NaN'))).rejects.toThrow('expected a value, found "N"');
});

const MUTATIONS = count(25, 100, 2000);

test.each(['pixels.h5', 'weights in an archive', 'pixels.keras'])(
  'mutations of %s give a network or a Failure with its place, quickly',
  async (which) => {
    const weights = (await entriesOf()).find(({ path }) => path.endsWith('.h5'))?.bytes ?? new Uint8Array();
    await expectResultOrFailure({
      kind: `Keras: ${which}`,
      tries: MUTATIONS,
      file: (random) =>
        which === 'weights in an archive'
          ? changed({ 'model.weights.h5': new Uint8Array(mutate(weights, random)) })
          : new Uint8Array(mutate(fixture(which), random)),
      read: (bytes) => fromKeras('n.keras', bytes),
      place: /^n\.keras/,
    });
  },
);
