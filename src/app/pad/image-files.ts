/** Puts images from files, the clipboard and a camera on the pad. They stay on this page. */
import { prepare, type Prepared } from '../../base/pixels/prepare.ts';
import type { FailureValue } from '../../base/result.ts';
import { ask } from '../client.ts';
import { showOnPad } from './pad-image.ts';
import type { PadTarget } from './target.ts';
import { pad as texts } from '../messages/en/pad.tsx';

/** Puts an image file on the pad. @returns why that failed; undefined if it did not */
export async function takeFile(
  file: Blob,
  target: PadTarget,
  origin: string,
): Promise<FailureValue | undefined> {
  const prepared = await ask((api) => api.data.prepare(file, target));
  if (prepared.ok) {
    show(prepared.value, target, origin);
    return undefined;
  }
  if (prepared.error.code !== 'bad-file') return prepared.error;
  return { code: 'bad-input', message: texts.unreadable(prepared.error.message), advice: texts.formats };
}

/** Puts the current frame of a camera on the pad. */
export function takeFrame(video: HTMLVideoElement, target: PadTarget): void {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) return;
  context.drawImage(video, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  show(prepare({ data, width, height }, target), target, texts.fromCamera);
}

function show({ image, isTurned }: Prepared, { shape }: PadTarget, origin: string): void {
  showOnPad(image, shape, isTurned ? texts.inverted(origin) : origin, 'file');
}
