/** A card as a file. */
import { contentsOf } from './contents.ts';
import { drawCard, HEIGHT, WIDTH } from './draw.ts';
import type { RunRecord } from '../../journal/record.ts';

export async function cardOf(record: RunRecord): Promise<File> {
  const contents = await contentsOf(record);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser has no canvas to draw the card on');
  drawCard(context, contents);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('the browser could not write the card as a PNG');
  const name = record.name.replaceAll(/[^\p{L}\p{N}-]+/gu, '-');
  return new File([blob], `${name}.png`, { type: 'image/png' });
}
