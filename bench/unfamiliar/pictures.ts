/** Draws letters and strokes as the pad does, in Chromium, and brings them into the network's form as the pad does. */
import { readFileSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { headlessShell } from '../../scripts/browser.mjs';
import { Random } from '../../src/base/random.ts';
import { drawStrokes, SHEET } from '../../src/app/pad/drawing.ts';
import { normaliseDrawing } from '../../src/base/pixels/normalise.ts';
import { FONTS, LETTERS } from './fonts.ts';
import { choosing, judging } from './strokes.ts';

export interface Picture {
  /** "letters of typefaces", "letters by hand", "digits by hand", ... */
  kind: string;
  /** For reports: "A, DejaVuSans". */
  name: string;
  /** 28 x 28 bytes. */
  image: Uint8Array;
  /** Of a digit. */
  label?: number;
}

/** Widths of the brush: the thinnest, the default and a thick one, in percent of the pad. */
const BRUSHES = [6, 9, 13];
/** Drawings from each path, each bent and turned in another way. */
const VARIANTS = 4;

const DIGIT_KIND = 'digits by hand';

/** All pictures of one half. @param half which fonts and drawings, and the seed of their bending */
export async function pictures(half: keyof typeof FONTS): Promise<Picture[]> {
  const browser = await chromium.launch({ ...headlessShell(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto('about:blank');
    const letters = [];
    for (const file of Object.values(FONTS[half]).flat()) letters.push(...(await lettersOf(page, file)));
    const { digits, others } = half === 'choosing' ? choosing : judging;
    const random = new Random(half === 'choosing' ? 41 : 97, 'hand');
    const drawn = [];
    for (const [digit, paths] of Object.entries(digits))
      for (const path of paths)
        drawn.push(
          ...(await byHand(page, random, { kind: DIGIT_KIND, name: digit, path, label: Number(digit) })),
        );
    for (const [kind, paths] of Object.entries(others))
      for (const [name, path] of Object.entries(paths))
        drawn.push(
          ...(await byHand(page, random, {
            kind: kind === 'letters' ? 'letters by hand' : kind,
            name,
            path,
          })),
        );
    return [...letters, ...drawn];
  } finally {
    await browser.close();
  }
}

async function lettersOf(page: Page, file: string): Promise<Picture[]> {
  const bytes = readFileSync(`/usr/share/fonts/${file}`).toString('base64');
  const inks = await page.evaluate(
    async ({ font, letters, side }) => {
      const face = new FontFace('judged', `url(data:font/ttf;base64,${font})`);
      document.fonts.clear();
      document.fonts.add(await face.load());
      const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
      if (!context) throw new Error('no canvas');
      return letters.map((letter) => {
        context.clearRect(0, 0, side, side);
        context.font = `${side * 0.8}px judged`;
        context.textAlign = 'center';
        context.textBaseline = 'alphabetic';
        context.fillText(letter, side / 2, side * 0.72);
        return btoa(
          String.fromCharCode(...context.getImageData(0, 0, side, side).data.filter((_, i) => i % 4 === 3)),
        );
      });
    },
    { font: bytes, letters: LETTERS, side: SHEET / 2 },
  );
  return inks.map((ink, i) => {
    const image = normaliseDrawing(Buffer.from(ink, 'base64'), SHEET / 2);
    if (!image) throw new Error(`${file} has no ${LETTERS[i]}`);
    return { kind: 'letters of typefaces', name: `${LETTERS[i]}, ${file.replace(/.*\/|\..*/g, '')}`, image };
  });
}

interface Drawn extends Omit<Picture, 'image'> {
  path: string;
}

/** A drawing several times, by an unsteady hand, with thin and thick brushes, small and large, anywhere on the pad. */
async function byHand(page: Page, random: Random, { path, ...about }: Drawn): Promise<Picture[]> {
  const lines = await page.evaluate((d) => {
    return d.split(/(?=M)/).map((one) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      element.setAttribute('d', one);
      const length = element.getTotalLength();
      const count = Math.max(1, Math.ceil(length / 0.02));
      return Array.from({ length: count + 1 }, (_, i) => element.getPointAtLength((i / count) * length)).map(
        ({ x, y }) => [x, y] as const,
      );
    });
  }, path);
  const made: Picture[] = [];
  for (const brush of BRUSHES) {
    for (let variant = 0; variant < VARIANTS; variant++) {
      const place = unsteady(random);
      const strokes = lines.map((line) => ({ colour: '#000', points: line.flatMap(place) }));
      const ink = await page.evaluate(
        ({ draw, lines: drawn, side, width }) => {
          const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
          if (!context) throw new Error('no canvas');
          (new Function(`return ${draw}`)() as typeof drawStrokes)(context, drawn, side, width, '#000');
          return btoa(
            String.fromCharCode(...context.getImageData(0, 0, side, side).data.filter((_, i) => i % 4 === 3)),
          );
        },
        { draw: drawStrokes.toString(), lines: strokes, side: SHEET / 2, width: brush / 100 },
      );
      const image = normaliseDrawing(Buffer.from(ink, 'base64'), SHEET / 2);
      if (image) made.push({ ...about, name: `${about.name}, brush ${brush}`, image });
    }
  }
  return made;
}

/** A map of the box onto the pad: turned, leaning, of any size and place, and slightly bent. */
function unsteady(random: Random): (point: readonly [number, number]) => [number, number] {
  const [turn, lean] = [random.uniform(-0.12, 0.12), random.uniform(-0.15, 0.15)];
  const [width, height] = [random.uniform(0.55, 0.95), random.uniform(0.6, 0.95)];
  const [left, top] = [random.uniform(0.03, 0.97 - width), random.uniform(0.03, 0.97 - height)];
  const waves = Array.from(
    { length: 4 },
    () => [random.uniform(-0.02, 0.02), random.uniform(3, 7), random.uniform(0, 6)] as const,
  );
  const wave = (i: number, at: number) => waves[i][0] * Math.sin(waves[i][1] * at + waves[i][2]);
  return ([x, y]) => {
    const [u, v] = [x - 0.5 + wave(0, y) + wave(1, x), y - 0.5 + wave(2, x) + wave(3, y)];
    const [a, b] = [u - lean * v, v];
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    return [left + width * (0.5 + c * a - s * b), top + height * (0.5 + s * a + c * b)];
  };
}
