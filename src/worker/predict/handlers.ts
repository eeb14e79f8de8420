import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { Part } from '../part.ts';

const predicting = lazily(() => import('./predict.ts'));

const predictPart: Part<'predict'> = (services) => ({
  predictSet: (weights, images) =>
    attempt(() =>
      services.gpu.run('Inspect', async (signal) => {
        const { predictSet } = await predicting();
        const { datasets, events, runs, supply, tuningResults } = services;
        await tuningResults.load();
        const device = await supply.get();
        return predictSet(weights, images, {
          device,
          known: tuningResults.known(device),
          datasets,
          run: () => runs.run,
          signal,
          onProgress: (done, total) => events.send({ type: 'predict', done, total }),
        });
      }),
    ),
  cancelPrediction: async () => services.gpu.cancel(),
});

export default predictPart;
