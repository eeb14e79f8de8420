import type { WorkerPart } from '../part.ts';
import { doctorChecks, examineRun } from './doctor.ts';

const doctorPart: WorkerPart<'doctor'> = ({ events, gpu, runs, settings, supply }) => ({
  doctorChecks,
  examine: (config) =>
    gpu.run('doctor', async (signal) => {
      const open = runs.openAs(config);
      const trained =
        open && open.steps > 0 ? { step: open.steps, weights: await open.stateDict() } : undefined;
      const { made: run } = await runs.begun(config, await settings.of(config));
      const examined = await examineRun(
        await supply.get(),
        run,
        trained?.weights,
        () => !signal.aborted,
        (event) => events.send(event),
      );
      return { ...examined, step: trained?.step };
    }),
});

export default doctorPart;
