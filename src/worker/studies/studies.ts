/** The studies, in one chunk that loads when their screen is opened. */
export { resultsElsewhere } from '../../studies/elsewhere.ts';
export { runStudy, studies, studyList } from '../../studies/index.ts';
