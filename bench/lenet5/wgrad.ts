import { cpuGpu } from '../../src/cpu/device/gpu.ts';
import { MAX_STEPS, Trainer } from '../../src/engine/trainer.ts';
import { optimizers } from '../../src/engine/optimizers/registry.ts';
import { openDevice } from '../../src/gpu/device.ts';
import lenet5 from '../../src/models/lenet5.ts';
import { titleOn } from '../libraries/wgrad.ts';
import { initialParameters } from './parameters.ts';
import { batchOf, LEARNING_RATE, type Library } from './peer.ts';

/** wgrad, as its page and its command line train: images as bytes on the device, many steps a submit, metrics read at the end. */
const wgrad: Library = {
  titleOn,

  async open(task, data) {
    const device = await openDevice(task.engine === 'gpu' ? navigator.gpu : cpuGpu());
    const optimizer = optimizers.get(task.optimizer);
    const settings = { ...optimizer.defaults, lr: LEARNING_RATE[task.optimizer] };
    const trainer = await Trainer.create(device, {
      layers: lenet5.layers,
      input: lenet5.input,
      classes: lenet5.classes,
      batchSize: task.batchSize,
      optimizer,
      settings,
      normalisation: data,
      train: data.train,
    });
    trainer.parameters.load(initialParameters(task.seed));
    let done = 0;
    return {
      async train(steps) {
        const start = performance.now();
        const losses: number[] = [];
        let reading = Promise.resolve();
        for (let left = steps; left > 0;) {
          const count = Math.min(left, MAX_STEPS);
          trainer.submit(
            Array.from({ length: count }, (_, i) => ({
              ...optimizer.stepFields(done + i + 1, settings),
              indices: batchOf(done + i, task.batchSize, data),
            })),
          );
          done += count;
          left -= count;
          const metrics = trainer.readMetrics(count);
          // One submit ahead of what is read, as a training run is.
          await reading;
          reading = metrics.then((read) => void losses.push(...read.map(({ loss }) => loss)));
        }
        await reading;
        return { ms: performance.now() - start, losses };
      },

      close() {
        trainer.destroy();
        device.destroy();
        return Promise.resolve();
      },
    };
  },
};

export default wgrad;
