import { useApp } from '../../state/store.ts';
import { runningPlace, useLab, type Place } from './lab-store.ts';

export const PLACES: Readonly<Record<Place, string>> = {
  race: 'The race',
  suite: 'The preset',
  map: 'The winner map',
  ladder: 'The ladder',
  tune: 'Autotune',
};

/** Why this part of the Lab cannot begin to measure now; undefined if it can. */
export function useObstacle(place: Place): string | undefined {
  const device = useApp(({ crash, device: state, gpuTask }) => {
    if (crash !== undefined) return 'The worker has ended.';
    if (state === 'connecting') return 'Looking for a GPU.';
    if (state === 'unavailable') return 'There is no WebGPU here.';
    if (gpuTask === 'profile' || gpuTask === 'doctor')
      return 'Profile or Doctor is using the GPU. Wait until it finishes, or stop it there.';
    return state === 'ready' ? undefined : 'The GPU is being recovered.';
  });
  const running = useLab(runningPlace);
  if (device !== undefined) return device;
  if (running === undefined || running === place) return undefined;
  return `${PLACES[running]} is being measured. Wait for it, or stop it.`;
}
