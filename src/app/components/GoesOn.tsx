import { useApp } from '../state/store.ts';

/** That training goes on by itself, while a measurement has paused it. */
export const GoesOn = () =>
  useApp((state) => state.goesOn) ? <span>Training is paused and goes on afterwards.</span> : null;
