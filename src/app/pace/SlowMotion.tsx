import { later } from '../components/later.tsx';
import { useApp } from '../state/store.ts';
import { paceOf, SLOW_MOTION } from './pace.ts';

const StepPhases = later('The phases of a step', async () => (await import('./StepPhases.tsx')).StepPhases);

/** Explains each step of a run that trains in slow motion. */
export function SlowMotion() {
  const shown = useApp(
    (state) =>
      paceOf(state) === SLOW_MOTION && (state.runState === 'training' || state.runState === 'preparing'),
  );
  return shown && <StepPhases />;
}
