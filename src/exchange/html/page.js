/**
 * The exported page: its pad, or its choice of pictures, and its answer. It is plain JavaScript without imports because its text
 * is part of that page, after runner.js, images.js and `percent`, whose functions it calls.
 */
/* global percent, load, normalisedDigit, resized, colourImage */

/** Pixels of the sheet that ink is measured on, ten to one of MNIST's; and how many classes are shown. */
const [INK, SHOWN] = [280, 12];
const [meta, blob] = ['network', 'weights'].map((id) => document.getElementById(id)?.textContent ?? '');
const network = JSON.parse(meta);
const { shape, classes, digits, ground } = network;
const colour = shape[0] === 3;
/** @param {string} id @returns {any} */
const at = (id) => document.getElementById(id);

/** @type {(image: Uint8Array) => number[]} */
let answer;
/** @type {Uint8Array | undefined} that is shown, perhaps since before the network was ready */
let shown;

/** @param {string} text */
async function unpacked(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const rows = classes.map((/** @type {string} */ name) => {
  const row = document.createElement('li');
  const [label, bar, share] = ['span', 'div', 'span'].map((tag) => document.createElement(tag));
  label.textContent = label.title = name;
  bar.role = 'meter';
  bar.ariaLabel = name;
  row.append(label, bar, share);
  at('shares').append(row);
  return { row, bar, share };
});

/** @param {Uint8Array | undefined} image */
function show(image) {
  shown = image;
  const shares = image && answer ? answer(image) : undefined;
  const best = shares ? shares.indexOf(Math.max(...shares)) : -1;
  at('answer').textContent = classes[best] ?? '–';
  at('answer').dataset.long = (classes[best] ?? '').length > 2;
  // Of many classes, the most likely ones.
  const ranks =
    shares && classes.length > SHOWN ? shares.map((one) => shares.filter((s) => s > one).length) : [];
  rows.forEach(({ row, bar, share }, i) => {
    row.dataset.best = String(i === best);
    row.hidden = classes.length > SHOWN && !(ranks[i] < SHOWN);
    row.style.order = String(ranks[i] ?? 0);
    const part = shares?.[i] ?? 0;
    bar.ariaValueNow = String(Math.round(100 * part));
    bar.style.setProperty('--share', `${100 * part}%`);
    share.textContent = shares ? percent(part) : '';
  });
  at('clear').disabled = !image;
}

// The pad: strokes in the page's own ink, and again in black on a sheet that is measured.

const pad = at('pad');
const sheet = Object.assign(document.createElement('canvas'), { width: INK, height: INK });
const ink = /** @type {CanvasRenderingContext2D} */ (sheet.getContext('2d', { willReadFrequently: true }));
/** @type {number[][]} */
let strokes = [];

/** @param {CanvasRenderingContext2D} context @param {number} side @param {string} style */
function draw(context, side, style) {
  context.clearRect(0, 0, side, side);
  Object.assign(context, { lineCap: 'round', lineJoin: 'round', lineWidth: 0.09 * side, strokeStyle: style });
  for (const points of strokes) {
    context.beginPath();
    context.moveTo(points[0] * side, points[1] * side);
    context.lineTo(points[0] * side + 0.01, points[1] * side);
    for (let i = 2; i < points.length; i += 2) context.lineTo(points[i] * side, points[i + 1] * side);
    context.stroke();
  }
}

function drawn() {
  const side = (pad.width = pad.height = Math.round(pad.clientWidth * devicePixelRatio));
  draw(pad.getContext('2d'), side, getComputedStyle(pad).color);
  at('hint').hidden = strokes.length > 0;
  if (strokes.length === 0) return show(undefined);
  draw(ink, INK, '#000');
  const { data } = ink.getImageData(0, 0, INK, INK);
  const opacity = Uint8Array.from({ length: INK * INK }, (_, i) => data[4 * i + 3]);
  const [, height, width] = shape;
  const image = digits
    ? normalisedDigit(opacity, INK)
    : resized({ data: opacity, width: INK, height: INK }, height, width);
  // Black on white, as the images of the training are.
  show(ground === 'light' ? image?.map((level) => 255 - level) : image);
}

/** @param {PointerEvent} event */
const place = (event) => {
  const box = pad.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
};

if (!colour) {
  pad.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    pad.setPointerCapture(event.pointerId);
    strokes.push(place(event));
    drawn();
  });
  pad.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
    if (!pad.hasPointerCapture(event.pointerId)) return;
    const between = event.getCoalescedEvents?.() ?? [];
    for (const one of between.length > 0 ? between : [event]) strokes.at(-1)?.push(...place(one));
    drawn();
  });
  new ResizeObserver(drawn).observe(pad);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawn);
}

// Pictures, of which the middle square counts.

/** @param {Blob | undefined} file */
async function take(file) {
  if (!file) return;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  at('problem').hidden = bitmap !== undefined;
  if (!bitmap) return;
  const side = Math.min(bitmap.width, bitmap.height);
  const cut = [(bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side];
  const size = Math.min(side, 512);
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.drawImage(bitmap, ...cut, 0, 0, size, size);
  pad.width = pad.height = size;
  pad.getContext('2d').drawImage(canvas, 0, 0);
  at('hint').hidden = true;
  show(colourImage(context.getImageData(0, 0, size, size).data, size, shape));
}

if (colour) {
  at('file').addEventListener('change', () => take(at('file').files[0]));
  pad.addEventListener('click', () => at('file').click());
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    void take(event.dataTransfer?.files[0]);
  });
  document.addEventListener('paste', (event) => take(event.clipboardData?.files[0]));
}

at('clear').addEventListener('click', () => {
  strokes = [];
  pad.getContext('2d').clearRect(0, 0, pad.width, pad.height);
  at('hint').hidden = false;
  if (colour) {
    // Or to choose the same picture again would be no change.
    at('file').value = '';
    show(undefined);
  } else drawn();
});

try {
  answer = await load(network, await unpacked(blob));
  document.documentElement.dataset.ready = '';
  show(shown);
} catch (error) {
  at('problem').textContent =
    `This browser cannot run the network (${error}). It needs WebAssembly with SIMD, as in every browser since 2023.`;
  at('problem').hidden = false;
}
