import { useApp } from '../state/store.ts';

/** That training resumes by itself, while a measurement has paused it. */
export const Resumes = () =>
  useApp((state) => state.resumes) ? <span>Training is paused and resumes afterwards.</span> : null;
