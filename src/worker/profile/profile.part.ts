import type { WorkerPart } from '../part.ts';
import { profileRun } from './profile.ts';

const profilePart: WorkerPart<'profile'> = ({ events, gpu, runs, settings, supply }) => ({
  profileStep: (config) =>
    gpu.run('profile', async (signal) => {
      const outline = await settings.outlineOf(config);
      const choices = runs.openAs(config)?.choices;
      const chosen = choices ? { ...outline, choices } : outline;
      return profileRun(await supply.get(), chosen, (progress) => {
        events.send({ type: 'profile', ...progress });
        return !signal.aborted;
      });
    }),
});

export default profilePart;
