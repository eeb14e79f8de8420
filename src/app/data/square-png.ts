import { data as texts } from '../messages/en/data.tsx';
/** The side of the pictures that are taken: more than any size that they are resized to, and small enough for thousands. */
const SIDE = 128;

/**
 * The square in the middle of an image or of a camera's current frame, as a PNG file.
 * @throws Error while a camera has no frame yet
 */
export async function squarePng(source: ImageBitmap | HTMLVideoElement, name: string): Promise<File> {
  const [width, height] =
    source instanceof HTMLVideoElement
      ? [source.videoWidth, source.videoHeight]
      : [source.width, source.height];
  const part = Math.min(width, height);
  if (part === 0) throw new Error(texts.pictures.noPicture);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const context = canvas.getContext('2d');
  if (!context) throw new Error(texts.pictures.noMemory);
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, (width - part) / 2, (height - part) / 2, part, part, 0, 0, SIDE, SIDE);
  return new File([await canvas.convertToBlob({ type: 'image/png' })], name, { type: 'image/png' });
}
