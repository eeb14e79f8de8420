/** A run as a picture to share: its curve, its confusion matrix, and what was reached where. */
import { thinned, type Points } from '../../../run/metrics/points.ts';
import { ask } from '../../client.ts';
import { download } from '../../download.ts';
import * as format from '../../format.ts';
import { bestAccuracy, type RunRecord } from '../../journal/record.ts';
import { settingLines } from './differences.ts';

const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 56;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Of the light theme, whatever the page's is: a picture is looked at elsewhere. */
const INK = {
  paper: '#ffffff',
  ink: '#1c1e22',
  soft: '#666973',
  line: '#e0ddd6',
  loss: '#0072b2',
  test: '#d55e00',
};

/** Downloads the picture. */
export async function shareCard(record: RunRecord): Promise<void> {
  const answer = await ask((api) => api.runs.runCurves(record.id));
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) return;
  drawCard(context, record, answer.ok ? thinned(answer.value) : undefined);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) return;
  const name = record.name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-');
  download(`${name}.png`, 'image/png', new Uint8Array(await blob.arrayBuffer()));
}

/** The words of the card: three numbers, and the settings that say most. */
export function wordsOf(record: RunRecord): { figures: [string, string][]; settings: string } {
  const { step, epoch, trainedMs, config } = record;
  const best = bestAccuracy(record);
  const shown = ['optimiser', 'lr', 'batch', 'augment', 'schedule', 'seed'];
  const settings = settingLines(config)
    .filter(({ short, value }) => shown.includes(short) && !['–', 'none', 'Constant'].includes(value))
    .map(({ title, value }) => `${title.toLowerCase()} ${value}`);
  return {
    figures: [
      ['test accuracy', best === undefined ? '–' : format.percent(best, 2)],
      ['training time', format.time(trainedMs)],
      [`steps, ${format.count(epoch)} ${epoch === 1 ? 'epoch' : 'epochs'}`, format.count(step)],
    ],
    settings: settings.join(' · '),
  };
}

function drawCard(context: CanvasRenderingContext2D, record: RunRecord, points: Points | undefined): void {
  const { name, model, dataset, adapter, confusion, classes } = record;
  const { figures, settings } = wordsOf(record);
  const text = (
    words: string,
    x: number,
    y: number,
    size: number,
    colour = INK.ink,
    weight = 400,
    most = WIDTH,
  ) => {
    context.fillStyle = colour;
    context.font = `${weight} ${size}px ${FONT}`;
    context.fillText(words, x, y, most);
  };
  context.fillStyle = INK.paper;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  const inner = WIDTH - 2 * MARGIN;
  text(`${model} on ${dataset}`, MARGIN, 86, 44, INK.ink, 650, inner);
  text([name, adapter].filter(Boolean).join(' · '), MARGIN, 124, 24, INK.soft, 400, inner);
  figures.forEach(([title, value], i) => {
    const x = MARGIN + i * 300;
    text(value, x, 196, 40, i === 0 ? INK.test : INK.ink, 650, 280);
    text(title, x, 226, 20, INK.soft);
  });
  const matrix = confusion && classes.length <= 24;
  const room = { x: MARGIN, y: 262, width: matrix ? 720 : inner, height: 264 };
  if (points && points.step.length > 1) drawLoss(context, points, room);
  text('training loss', room.x + room.width - 124, room.y + 28, 18, INK.loss);
  if (matrix) drawMatrix(context, confusion, classes.length, { x: WIDTH - MARGIN - 312, y: 214, size: 312 });
  text(settings, MARGIN, 568, 20, INK.soft, 400, inner);
  text(`wgrad · ${location.host}${location.pathname}`, MARGIN, 600, 20, INK.ink, 600, inner);
}

interface Room {
  x: number;
  y: number;
  width: number;
  height: number;
}

function drawLoss(context: CanvasRenderingContext2D, { step, smoothLoss }: Points, room: Room): void {
  const values = smoothLoss.filter(Number.isFinite);
  const high = Math.max(...values);
  const last = step[step.length - 1];
  context.strokeStyle = INK.line;
  context.lineWidth = 2;
  context.strokeRect(room.x, room.y, room.width, room.height);
  context.strokeStyle = INK.loss;
  context.lineWidth = 4;
  context.lineJoin = 'round';
  context.beginPath();
  step.forEach((at, i) => {
    if (!Number.isFinite(smoothLoss[i])) return;
    const x = room.x + (at / last) * room.width;
    context.lineTo(x, room.y + room.height - (smoothLoss[i] / (1.05 * high || 1)) * room.height);
  });
  context.stroke();
}

/** Blue cells are correct predictions, orange ones mistakes, as on the page. */
function drawMatrix(
  context: CanvasRenderingContext2D,
  counts: readonly number[],
  classes: number,
  { x, y, size }: { x: number; y: number; size: number },
): void {
  const cell = size / classes;
  for (let row = 0; row < classes; row++) {
    const total = counts.slice(row * classes, (row + 1) * classes).reduce((sum, one) => sum + one, 0);
    for (let column = 0; column < classes; column++) {
      const share = total > 0 ? counts[row * classes + column] / total : 0;
      context.fillStyle = row === column ? INK.loss : INK.test;
      context.globalAlpha = share > 0 ? 0.12 + 0.88 * Math.sqrt(share) : 0.04;
      context.fillRect(x + column * cell + 1, y + row * cell + 1, cell - 2, cell - 2);
    }
  }
  context.globalAlpha = 1;
}
