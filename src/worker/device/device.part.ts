import { unlessFailure } from '../../base/result.ts';
import { Turns } from '../../base/turns.ts';
import type { WorkerPart } from '../part.ts';
import type { AdapterSummary, EngineChoice } from './api.ts';
import { adapterOf } from './event.ts';

const devicePart: WorkerPart<'device'> = ({ engines, gpu, runs, supply }) => {
  const changes = new Turns();
  const changeTo = (choice: EngineChoice): Promise<AdapterSummary> =>
    changes.take(async () => {
      gpu.requireIdle();
      // Opened first: if there is none, everything stays as it is.
      const device = await engines.open(choice);
      await runs.whilePaused(async () => {
        engines.choice = choice;
        await supply.replace(device);
      });
      return adapterOf(device, engines.insteadOfGpu);
    });
  engines.onLateGpu = () => {
    const change = () => (engines.choice === 'auto' ? changeTo('auto').catch(unlessFailure) : undefined);
    // The CPU is handed out first, or has failed.
    void supply.get().then(change, change);
  };
  return {
    connect: async () => adapterOf(await supply.get(), engines.insteadOfGpu),
    useEngine: changeTo,
    cancelGpuTask: () => gpu.cancel(),
    loseDevice: async () => (await supply.get()).destroy(),
    async ledger() {
      const { buffers, bytes } = (await supply.get()).ledger;
      return { buffers, bytes };
    },
  };
};

export default devicePart;
