/** All faults of the folder `faults`, whose files are about one part of the program each. */
import { readdirSync } from 'node:fs';

const folder = new URL('faults/', import.meta.url);
const files = readdirSync(folder).toSorted();
const lists = await Promise.all(files.map((file) => import(new URL(file, folder).href)));

/** @type {readonly import('./mutant.mjs').Mutant[]} */
export const MUTANTS = lists.flatMap((list) => list.default);
