/** The classes of own pictures that are being collected, before they become a data set. */
import type { GivenFile } from '../../worker/api.ts';
import { uniqueId } from '../../base/unique-id.ts';
import { data as texts } from '../messages/en/data.tsx';

export interface OwnClass {
  id: string;
  name: string;
  pictures: readonly File[];
}

export const newClass = (number: number): OwnClass => ({
  id: uniqueId(),
  name: texts.pictures.newClass(number),
  pictures: [],
});

/** An image to train on and one to test on. */
const LEAST = 2;

/** The name as that of a folder. */
const folderOf = ({ name }: OwnClass): string => name.trim().replaceAll(/[/\\]/g, '-');

/** Why the classes are no data set yet, for people; undefined if they are. */
export function obstacleToUse(classes: readonly OwnClass[]): string | undefined {
  const filled = classes.filter(({ pictures }) => pictures.length > 0);
  if (filled.length < 2) return texts.pictures.twoClasses;
  const few = filled.find(({ pictures }) => pictures.length < LEAST);
  if (few) return texts.pictures.tooFew(few.name, LEAST);
  const names = filled.map(folderOf);
  if (names.includes('')) return texts.pictures.unnamed;
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? undefined : texts.pictures.sameName(twice);
}

/** The pictures as files of folders, one per class. */
export const filesOf = (classes: readonly OwnClass[]): GivenFile[] =>
  classes.flatMap((one) =>
    one.pictures.map((file, i) => ({ path: `pictures/${folderOf(one)}/${i}.png`, file })),
  );
