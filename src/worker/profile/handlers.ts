import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const profiling = lazily(() => import('./profile.ts'));

const profilePart: WorkerPart<'profile'> = ({ events, gpu, runs, settings, supply }) => ({
  profileStep: (config) =>
    attempt(() =>
      gpu.run('profile', async (signal) => {
        const { profileRun } = await profiling();
        const outline = await settings.outlineOf(config);
        const choices = runs.openAs(config)?.choices;
        const chosen = choices ? { ...outline, choices } : outline;
        return profileRun(await supply.get(), chosen, (progress) => {
          events.send({ type: 'profile', ...progress });
          return !signal.aborted;
        });
      }),
    ),
});

export default profilePart;
