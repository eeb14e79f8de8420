/** Puts images from files, the clipboard and a camera on the pad. They stay on this page. */
import { Failure, type FailureValue } from '../../base/result.ts';
import { pictureHeader, requireDecodable, requireFileSize } from '../../base/picture.ts';
import { imageOfPicture, type PadPicture } from './picture.ts';
import { showOnPad } from './showing.ts';
import type { PadTarget } from './target.ts';
import { pad as texts } from '../messages/pad.ts';

/** The longer side of a picture that is measured; larger ones are scaled down by the browser first. */
const SIDE = 256;

/** The part in the middle that has the target's proportions. */
function middleOf(
  source: CanvasImageSource,
  [across, down]: readonly [width: number, height: number],
  [, height, width]: PadTarget['shape'],
): PadPicture | undefined {
  const scale = SIDE / Math.max(width, height);
  const [toWidth, toHeight] = [Math.round(width * scale), Math.round(height * scale)];
  const context = new OffscreenCanvas(toWidth, toHeight).getContext('2d', { willReadFrequently: true });
  if (!context || across === 0 || down === 0) return undefined;
  const part = Math.min(across / width, down / height);
  const [w, h] = [part * width, part * height];
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, (across - w) / 2, (down - h) / 2, w, h, 0, 0, toWidth, toHeight);
  const { data } = context.getImageData(0, 0, toWidth, toHeight);
  return { rgba: data, width: toWidth, height: toHeight };
}

/** Puts an image file on the pad. @returns why that failed; undefined if it did not */
export async function takeFile(
  file: Blob,
  target: PadTarget,
  origin: string,
): Promise<FailureValue | undefined> {
  if (!file.type.startsWith('image/')) {
    return { code: 'bad-input', message: texts.notImage(file.type), advice: texts.formats };
  }
  let bitmap: ImageBitmap;
  try {
    requireFileSize(file.size);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const header = pictureHeader(texts.damaged, bytes);
    if (header) requireDecodable(header, bytes.length);
    bitmap = await createImageBitmap(file);
  } catch (error) {
    const reason = error instanceof Failure ? error.message : texts.unsupported;
    return { code: 'bad-input', message: texts.unreadable(reason), advice: texts.saveAs };
  }
  const picture = middleOf(bitmap, [bitmap.width, bitmap.height], target.shape);
  bitmap.close();
  if (picture) show(picture, target, origin);
  return undefined;
}

/** Puts the current frame of a camera on the pad. */
export function takeFrame(video: HTMLVideoElement, target: PadTarget): void {
  const picture = middleOf(video, [video.videoWidth, video.videoHeight], target.shape);
  if (picture) show(picture, target, texts.fromCamera);
}

function show(picture: PadPicture, target: PadTarget, origin: string): void {
  const { image, ground } = imageOfPicture(picture, target);
  showOnPad(image, target.shape, ground === 'light' ? texts.inverted(origin) : origin, 'file');
}
