/** A checkpoint says what trained it: losses follow from it alone, whatever was changed where a run was resumed. */
import { expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { count, SEED } from '../base/testing/tier.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { openNodeDevice } from '../node/gpu.ts';
import { settingsAt } from '../run/settings/adjustments.ts';
import { TrainingRun } from '../train/run.ts';
import { readSavedRun } from './checkpointing.ts';
import { readNamedDataset } from './datasets.ts';
import { linesOf, testFolder } from './testing/program.ts';

const SEQUENCES = count(4, 4, 100);
const RUN = 'train --model softmax_regression --dataset digits --batch-size 16 --optimizer sgd';

const { at, run: wgrad } = testFolder();

test(`${SEQUENCES} runs that were resumed with other settings, seed ${SEED}`, async () => {
  const supply = new DeviceSupply(() => openNodeDevice());
  const { dataset } = await readNamedDataset('digits', {
    shape: [1, 28, 28],
    note: () => undefined,
    trainOnly: true,
  });
  for (let i = 0; i < SEQUENCES; i++) {
    const random = new Random(SEED, `resumed ${i}`);
    const rate = () => `--lr ${['0.1', '0.01', '0.003'][random.below(3)]}`;
    const path = at(`run-${i}`);
    const losses: number[] = [];
    let steps = 2 + random.below(4);
    let line = `${RUN} ${rate()} --checkpoint ${path}`;
    const rateIn = () => /--lr (\S+)/.exec(line)?.[1];
    let given = rateIn();
    let asked = given;
    for (let part = 0; part < 4; part++) {
      const { out, err, status } = await wgrad(`${line} --steps ${steps}`);
      expect(status, err).toBe(0);
      for (const { step, loss } of linesOf<{ step?: number; loss: number }>(out))
        if (step !== undefined) losses[step - 1] = loss;
      const more = random.below(4);
      steps += more;
      line = `train --resume ${path} ${random.below(3) > 0 ? rate() : ''}`;
      // What is given where no step is left acts on the next one.
      given = rateIn() ?? given;
      if (more > 0 && part < 3) asked = given;
    }
    const { config } = await readSavedRun(path, () => undefined);
    const again: number[] = [];
    const run = new TrainingRun({ ...config, dataset, lastStep: losses.length }, supply, {
      steps: (rows) => again.push(...rows.map(({ loss }) => loss)),
    });
    const { start, adjustments } = run.changes;
    expect(settingsAt(start, adjustments, losses.length - 1).lr).toBe(Number(asked));
    run.train();
    await run.settled();
    await run.close();
    expect(again).toEqual(losses);
  }
});
