/**
 * A trained network as one HTML file that answers by itself: the kernels of its forward pass as WebAssembly, its weights,
 * and a page to draw on or to choose a picture for. Nothing is fetched.
 */
import { accuracy, measuredOn } from '../../base/accuracy.ts';
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { datasets } from '../../data/catalogue.ts';
import { OWN } from '../../data/own/info.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import { requireFit, type Trained } from '../../models/file/weights.ts';
import { base64 } from '../../base/base64.ts';
import { percent } from '../../base/percent.ts';
import { recordForward } from './forward.ts';
/* oxlint-disable import/default -- their texts */
import images from './images.js?raw';
import script from './page.js?raw';
import style from './page.css?raw';
import runner from './runner.js?raw';
/* oxlint-enable import/default */

/** As text, base64 and all, they are a third longer: browsers and Node allow 512 MiB, and take as much again to read it. */
const MAX_BYTES = 2 ** 28;

/**
 * @param testImages on how many images its accuracy was measured; default all test images of its data set, if that is built in
 * @throws Failure `bad-file` if the weights do not fit the model, `unsupported` for images that are neither grey nor of colours, or
 *   weights that are too large
 */
export async function toHtml(trained: Trained, testImages?: number): Promise<string> {
  const { model, parameters, info } = trained;
  const bytes = 4 * layoutParameters(inferShapes(model.layers, [1, ...model.input])).count;
  if (bytes > MAX_BYTES)
    throw new Failure(
      'unsupported',
      `expected at most ${MAX_BYTES >> 20} MiB of weights in a page, found ${bytes >> 20} MiB`,
      'Export it as ONNX.',
    );
  requireFit('the weights', model, parameters);
  const [channels, height, width] = model.input;
  if (channels !== 1 && channels !== 3)
    throw new Failure('unsupported', `expected images of 1 or 3 channels, found ${channels}`);
  const { kernels, calls, memory, ...places } = await recordForward(trained);
  const named = info.classes?.length === model.classes ? info.classes : undefined;
  const classes = named ?? Array.from({ length: model.classes }, (_, i) => String(i));
  const plain = { mean: Array<number>(channels).fill(0), std: Array<number>(channels).fill(1) };
  const network = {
    ...places,
    ...(info.normalisation ?? plain),
    calls: calls.map(({ kernel, workgroups, args }) => [kernel, workgroups, ...args]),
    kernels: kernels.map(({ length }) => length),
    shape: model.input,
    classes,
    digits: classes[0] === '0' && elements(model.input) === 784,
    ground: info.ground,
  };
  const weights = base64(await gzipped([...kernels, memory]));
  const digits = network.digits ? 'Draw a digit' : 'Draw here';
  const known = info.dataset !== undefined && datasets.has(info.dataset);
  const builtIn = known ? datasets.get(info.dataset as string) : undefined;
  const tested = testImages ?? builtIn?.counts.test;
  const data = builtIn ? builtIn.title : info.dataset === OWN ? 'own images' : info.dataset;
  const facts = [
    ...(data === undefined ? [] : [`trained on ${data}`]),
    ...(info.testAccuracy === undefined
      ? []
      : [`test accuracy ${accuracy(info.testAccuracy, tested)}${testOf(info.testAccuracy, tested)}`]),
  ];
  const colour = channels === 3;
  const names = classes.some((name) => name.length > 3);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(model.title)}</title>
<style>
${style}</style>
</head>
<body${colour ? ' data-colour' : ''}${names ? ' data-names' : ''}>
<header>
<h1>${escaped(model.title)}</h1>
<p>${escaped(sentence(facts))}</p>
</header>
<main>
<div>
<div class="sheet"><canvas id="pad" role="img" aria-label="${colour ? 'The chosen picture' : 'Drawing pad'}"></canvas><span id="hint">${colour ? 'Choose, drop or paste a picture' : digits}</span></div>
<div class="tools">${colour ? '<label>Choose a picture<input id="file" type="file" accept="image/*"></label>' : ''}<button id="clear" type="button" disabled>Clear</button></div>
</div>
<div>
<output id="answer" aria-label="Prediction" aria-live="polite">–</output>
<ul id="shares" aria-label="Probabilities"></ul>
</div>
</main>
<p id="problem" role="alert" hidden>The browser cannot read this file as an image. Choose a PNG or JPEG.</p>
<footer>Everything runs in this file: nothing that you ${colour ? 'choose' : 'draw'} leaves your device. The network sees ${height} × ${width} pixels. Made with wgrad.</footer>
<script type="application/json" id="network">${JSON.stringify(network).replaceAll('<', '\\u003c')}</script>
<script type="application/octet-stream" id="weights">${weights}</script>
<script type="module">
${[runner, images].map((text) => text.replaceAll(/^export /gm, '')).join('\n')}
const percent = ${percent};
${script}</script>
</body>
</html>
`;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);

/** "Trained on MNIST, test accuracy 99.41 % in the last test (10,000 images)." */
const sentence = (facts: readonly string[]): string => {
  const text = facts.join(', ');
  return text === '' ? 'A trained network.' : `${text[0].toUpperCase()}${text.slice(1)}.`;
};

/** " in the last test (12 images, 95 % interval 65 to 99 %)" */
const testOf = (share: number, tested: number | undefined): string =>
  ` in the last test${tested === undefined ? '' : ` (${measuredOn(share, tested)})`}`;

async function gzipped(parts: readonly Uint8Array<ArrayBuffer>[]): Promise<Uint8Array> {
  const stream = new Blob([...parts]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
