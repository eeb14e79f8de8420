/** The studies, in one chunk that loads when their screen is opened. */
export { resultsElsewhere } from '../../studies/elsewhere.ts';
export { runStudy, studyList } from '../../studies/index.ts';
