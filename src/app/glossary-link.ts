import { hrefOf } from './route.ts';

/** A word as a part of an address: "Update-to-weight ratio" as "update-to-weight-ratio". */
export const slugOf = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Where Help explains a word. */
export const termHref = (word: string): string => hrefOf('help', slugOf(word));
