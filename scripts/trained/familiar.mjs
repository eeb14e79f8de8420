// `node scripts/trained/familiar.mjs DATA_DIR`: from MNIST's training images in DATA_DIR, what the LeNet-5 that wgrad comes with
// finds familiar, as public/trained/lenet5-familiar.safetensors, in float16. To be made again when its weights change.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { halved } from './halved.mjs';

/** Training images, and the share of them that are within the limit: docs/design/pad.md says why. */
const IMAGES = 6000;
const WITHIN = 0.95;

const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error("expected the folder with MNIST's files");
const vite = await createServer({
  configFile: false,
  appType: 'custom',
  server: { middlewareMode: true, ws: false },
});
const load = (file) => vite.ssrLoadModule(`/src/${file}.ts`);
const { familiarOf } = await load('base/familiar');
const { toHalf } = await load('base/half');
const { asDrawn } = await load('base/pixels/ink');
const { readDataset } = await load('cli/data');
const { datasets } = await load('data/catalogue');
const { writeSafetensors } = await load('data/formats/safetensors');
const { STATISTICS, vectorOf } = await load('worker/familiar/of-trained');
const { spread } = await load('worker/inspect/nearest');
const { parseTrained, TRAINED } = await load('worker/trained/trained');

const inPublic = (name) => fileURLToPath(new URL(`../../public/${name}`, import.meta.url));
const network = parseTrained(readFileSync(inPublic(TRAINED)));
const { train, shape } = await readDataset(datasets.get('mnist'), { dataDir, trainOnly: true });
const size = train.images.length / train.count;
const indices = spread(train.count, IMAGES);
const vectors = Array.from(indices, (index) =>
  vectorOf(network, asDrawn(train.images.subarray(index * size, (index + 1) * size), shape)),
);
const labels = Array.from(indices, (index) => train.labels[index]);
const { means, variances } = familiarOf(vectors, labels, WITHIN);
const matrix = (data) => ({
  shape: [data.length / vectors[0].length, vectors[0].length],
  data: Float32Array.from(data),
});
const tensors = new Map([
  ['means', matrix(means)],
  ['variances', matrix(variances)],
]);
const bytes = writeSafetensors(tensors, new Map([['made', 'scripts/trained/familiar.mjs']]));
writeFileSync(inPublic(STATISTICS), halved(Buffer.from(bytes), {}, toHalf));
await vite.close();
