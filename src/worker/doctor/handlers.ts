import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const examining = lazily(() => import('./doctor.ts'));

const doctorPart: WorkerPart<'doctor'> = ({ events, gpu, runs, settings, supply }) => ({
  doctorChecks: () => attempt(async () => (await examining()).doctorChecks()),
  examine: (config) =>
    attempt(() =>
      gpu.run('doctor', async (signal) => {
        const { examineRun } = await examining();
        const open = runs.openAs(config);
        const trained =
          open && open.steps > 0 ? { step: open.steps, weights: await open.stateDict() } : undefined;
        const { made: run } = await runs.begun(config, await settings.of(config));
        const findings = await examineRun(
          await supply.get(),
          run,
          trained?.weights,
          () => !signal.aborted,
          (event) => events.send(event),
        );
        return trained ? { findings, step: trained.step } : { findings };
      }),
    ),
});

export default doctorPart;
