/**
 * A fault to put into a file, in which `replace` occurs once. A test must fail then.
 *
 * @typedef {object} Mutant
 * @property {string} tests folders, and beginnings of files' paths, with spaces between them: tests in the page and on GPUs
 * are not among them
 * @property {string} file
 * @property {string} replace the exact text, and
 * @property {string} by what takes its place
 */

/** A fault that these tests must find. @returns {Mutant} */
export const of = (tests, file, replace, by) => ({ tests, file, replace, by });

/** A fault that the test beside its file must find. */
export const beside = (file, replace, by) => of(file.replace(/\w+$/, ''), file, replace, by);
