import { attempt } from '../../base/result.ts';
import { Turns } from '../../base/turns.ts';
import type { WorkerPart } from '../part.ts';
import type { DeviceApi } from './api.ts';
import { adapterOf } from './event.ts';

const devicePart: WorkerPart<'device'> = ({ engines, gpu, runs, supply }) => {
  const changes = new Turns();
  const changeTo: DeviceApi['useEngine'] = (choice) =>
    changes.take(() =>
      attempt(async () => {
        gpu.requireIdle();
        // Opened first: if there is none, everything stays as it is.
        const device = await engines.open(choice);
        const wasTraining = await runs.pause();
        engines.choice = choice;
        await supply.replace(device);
        if (wasTraining) await runs.resumePaused();
        return adapterOf(device, engines.insteadOfGpu);
      }),
    );
  engines.onLateGpu = () => {
    const change = () => (engines.choice === 'auto' ? changeTo('auto') : undefined);
    // The CPU is handed out first, or has failed.
    void supply.get().then(change, change);
  };
  return {
    connect: () => attempt(async () => adapterOf(await supply.get(), engines.insteadOfGpu)),
    useEngine: changeTo,
    cancelGpuTask: async () => gpu.cancel(),
    loseDevice: async () => (await supply.get()).destroy(),
    async ledger() {
      const { buffers, bytes } = (await supply.get()).ledger;
      return { buffers, bytes };
    },
  };
};

export default devicePart;
