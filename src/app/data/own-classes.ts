/** The classes of own pictures that are being collected, before they become a data set. */
import type { GivenFile } from '../../worker/api.ts';
import { uniqueId } from '../../base/unique-id.ts';

export interface OwnClass {
  id: string;
  name: string;
  pictures: readonly File[];
}

export const newClass = (number: number): OwnClass => ({
  id: uniqueId(),
  name: `Class ${number}`,
  pictures: [],
});

/** An image to train on and one to test on. */
const LEAST = 2;

/** The name as that of a folder. */
const folderOf = ({ name }: OwnClass): string => name.trim().replaceAll(/[/\\]/g, '-');

/** Why the classes are no data set yet, for people; undefined if they are. */
export function obstacleToUse(classes: readonly OwnClass[]): string | undefined {
  const filled = classes.filter(({ pictures }) => pictures.length > 0);
  if (filled.length < 2) return 'Add pictures to at least two classes.';
  const few = filled.find(({ pictures }) => pictures.length < LEAST);
  if (few) return `${few.name} needs at least ${LEAST} pictures: one to train on, one to test on.`;
  const names = filled.map(folderOf);
  if (names.includes('')) return 'Name each class.';
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? undefined : `Two classes are named ${twice}. Rename one.`;
}

/** The pictures as files of folders, one per class. */
export const filesOf = (classes: readonly OwnClass[]): GivenFile[] =>
  classes.flatMap((one) =>
    one.pictures.map((file, i) => ({ path: `pictures/${folderOf(one)}/${i}.png`, file })),
  );
