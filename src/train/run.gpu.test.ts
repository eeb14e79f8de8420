import { describe, expect, test, vi } from 'vitest';
import { nodeGpu } from '../node/gpu.ts';
import { openDevice, type Device } from '../gpu/device.ts';
import { Readback } from '../gpu/readback.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Speed } from './pacing.ts';
import { TrainingRun } from './run.ts';
import { dataset, recorded, cleanSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();

/** Losses and final parameters of an undisturbed run. */
async function undisturbed(lastStep: number, seed = 1) {
  const { record, parameters } = await trainedRun(tiny({ lastStep, seed }), supply);
  return { losses: record.losses, evaluations: record.evaluations, parameters };
}

/** Runs until `step` is reported. */
const reached = (step: number) => {
  let hit: () => void = () => undefined;
  const promise = new Promise<void>((done) => (hit = done));
  return { promise, onSteps: (last: number) => last >= step && hit() };
};

const lose = async () => (await supply.get()).destroy();

describe('a run', () => {
  test('learns, reports every step once and evaluates after every epoch', async () => {
    const { run, record } = recorded(tiny({ lastStep: 100 }), supply);
    run.train();
    await run.settled();
    expect(record.reported.map(({ step }) => step)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(record.evaluations.map(({ step, epoch }) => [step, epoch])).toEqual(
      Array.from({ length: 10 }, (_, i) => [10 * (i + 1), i + 1]),
    );
    expect(record.evaluations.at(-1)?.evaluation.accuracy).toBeGreaterThan(0.9);
    expect(record.states.map(({ state }) => state)).toEqual(['preparing', 'training', 'paused']);
    await run.close();
  });

  test('submits steps before the results of an evaluation are there, unless they may stop the run; all is reported in order', async () => {
    const trained = async (stops: { stopAccuracy?: number }) => {
      const ahead: number[] = [];
      const order: string[] = [];
      const config = tiny({ lastStep: 105, checkpointEvery: { steps: 1000 }, ...stops });
      const run: TrainingRun = new TrainingRun(config, supply, {
        steps: (rows) => void order.push(...rows.map(({ step }) => `step ${step}`)),
        evaluation({ step }) {
          ahead.push(run.steps - step);
          order.push(`evaluation ${step}`);
        },
      });
      run.checkpointTimes.share = 1e-9;
      run.train();
      await run.settled();
      await run.close();
      return { ahead, order };
    };
    const [without, ruled] = [await trained({}), await trained({ stopAccuracy: 1 })];
    // Not while steps are slow, as the first ones are.
    expect(Math.max(...without.ahead)).toBeGreaterThan(0);
    expect(new Set(ruled.ahead)).toEqual(new Set([0]));
    const steps = Array.from({ length: 105 }, (_, i) => i + 1);
    const whole = steps.flatMap((i) => [`step ${i}`, ...(i % 10 === 0 ? [`evaluation ${i}`] : [])]);
    expect(without.order).toEqual(whole);
    expect(ruled.order).toEqual(whole.slice(0, ruled.order.length));
  });

  test('saves a checkpoint after every epoch, or less often where they would take too long; the bits are the same', async () => {
    const saved = async (share?: number) => {
      const steps: number[] = [];
      const config = tiny({ lastStep: 45, checkpointEvery: { steps: 1000 } });
      const checkpoint = ({ step }: { step: number }) => steps.push(step);
      const { run, record } = recorded(config, supply, undefined, { checkpoint });
      if (share !== undefined) run.checkpointTimes.share = share;
      run.train();
      await run.settled();
      await run.close();
      return {
        steps,
        losses: record.losses,
        accuracies: record.evaluations.map((e) => e.evaluation.accuracy),
      };
    };
    const [always, rarely] = [await saved(), await saved(1e-9)];
    expect(always.steps).toEqual([10, 20, 30, 40, 45]);
    expect(rarely.steps).toEqual([10, 45]);
    expect({ ...rarely, steps: always.steps }).toEqual(always);
  });

  test('submits steps while a checkpoint is read back, which holds what a run to its step ends with', async () => {
    const found: { ahead: number; checkpoint: Checkpoint }[] = [];
    const config = tiny({ lastStep: 105, checkpointEvery: { steps: 20 } });
    const run: TrainingRun = new TrainingRun(config, supply, {
      checkpoint: (checkpoint) => found.push({ ahead: run.steps - checkpoint.step, checkpoint }),
    });
    run.checkpointTimes.share = 1e-9;
    run.train();
    await run.settled();
    await run.close();
    expect(found.map(({ checkpoint: { step } }) => step)).toEqual([10, 20, 40, 60, 80, 100, 105]);
    expect(Math.max(...found.map(({ ahead }) => ahead))).toBeGreaterThan(0);
    for (const { checkpoint } of found.slice(-3)) {
      const { step, epoch, snapshot, history } = checkpoint;
      const { checkpoint: last } = await trainedRun(tiny({ lastStep: step }), supply);
      expect([epoch, snapshot]).toEqual([last?.epoch, last?.snapshot]);
      expect([history.loss, history.epoch]).toEqual([last?.history.loss, last?.history.epoch]);
    }
  });

  test('gives the same bits with one seed, and others with another', async () => {
    const [a, b, c] = [await undisturbed(40), await undisturbed(40), await undisturbed(40, 2)];
    expect(a.losses).toHaveLength(40);
    expect(b).toEqual(a);
    expect(c.losses).not.toEqual(a.losses);
  });

  test('pauses between steps and resumes with the same losses', async () => {
    const at = reached(7);
    const { run, record } = recorded(tiny({ lastStep: 60 }), supply, at.onSteps);
    run.train();
    await at.promise;
    await run.pause();
    const { steps } = run;
    expect(run.state).toBe('paused');
    expect(steps).toBeLessThan(60);
    expect(record.reported.at(-1)?.step).toBe(steps);
    expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: steps });
    run.train();
    await run.settled();
    expect(record.losses).toEqual((await undisturbed(60)).losses);
    await run.close();
  });

  test('can be paused before it is prepared, and right after it was started', async () => {
    const { run, record } = recorded(tiny(), supply);
    run.train();
    await run.pause();
    expect(run.steps).toBe(0);
    expect(record.reported).toEqual([]);
    expect(record.states.map(({ state }) => state)).toEqual(['preparing', 'paused']);
    await run.close();
  });

  test('`step` trains exactly one batch, also across the end of an epoch, which is evaluated', async () => {
    const { run, record } = recorded(tiny(), supply);
    for (let step = 1; step <= 11; step++) {
      await run.stepOnce();
      expect(run.state).toBe('paused');
      expect(run.steps).toBe(step);
    }
    expect(record.losses).toEqual((await undisturbed(11)).losses);
    expect(record.evaluations.map(({ step }) => step)).toEqual([10]);
    // Several requests at once are all carried out.
    await Promise.all([run.stepOnce(), run.stepOnce(), run.stepOnce()]);
    expect(run.steps).toBe(14);
    await run.close();
  });

  test('asked for one batch while it trains, completes those in flight and one more', async () => {
    const at = reached(5);
    let atCall = 0;
    const { run } = recorded(tiny(), supply, at.onSteps);
    run.train();
    await at.promise;
    const done = run.stepOnce();
    atCall = run.steps;
    await done;
    expect(run.state).toBe('paused');
    expect(run.steps).toBe(atCall + 1);
    await run.close();
  });

  test('submits one step at a time where a step is slow, and a pause waits for that one alone', async () => {
    const read = Readback.prototype.read;
    const slow = vi.spyOn(Readback.prototype, 'read').mockImplementation(async function (
      this: Readback,
      ...of
    ) {
      await new Promise((done) => setTimeout(done, 100));
      return read.apply(this, of);
    });
    const at = reached(4);
    const { run, record } = recorded(tiny(), supply, at.onSteps);
    run.train();
    await at.promise;
    const before = run.steps;
    await run.pause();
    slow.mockRestore();
    expect(run.steps - before).toBeLessThanOrEqual(1);
    expect(record.losses).toEqual((await undisturbed(run.steps)).losses);
    await run.close();
  });

  test('restarts to the same bits, while it trains and while it is paused', async () => {
    const at = reached(15);
    const { run, record } = recorded(tiny({ lastStep: 30 }), supply, at.onSteps);
    run.train();
    await at.promise;
    await run.restart();
    await run.settled();
    expect(record.restarts).toBe(1);
    const { losses, evaluations } = await undisturbed(30);
    expect(record.losses).toEqual(losses);
    expect(record.evaluations).toEqual(evaluations);
    await run.restart();
    await run.settled();
    expect(record.restarts).toBe(2);
    expect(record.losses).toEqual(losses);
    await run.close();
  });

  test('restarted and paused right away is at step 0, and steps from there', async () => {
    const at = reached(12);
    const { run, record } = recorded(tiny(), supply, at.onSteps);
    run.train();
    await at.promise;
    await run.restart();
    await run.pause();
    expect([run.state, run.steps]).toEqual(['paused', 0]);
    await run.stepOnce();
    expect(run.steps).toBe(1);
    expect(record.losses).toEqual((await undisturbed(1)).losses);
    await run.close();
  });

  test('gives the same bits at any pace, and a change of pace acts at once', async () => {
    const { losses } = await undisturbed(30);
    const { run, record } = recorded(tiny({ lastStep: 30 }), supply);
    run.setPace(50);
    const began = performance.now();
    run.train();
    await run.settled();
    expect(performance.now() - began).toBeGreaterThan((1000 * 25) / 50);
    expect(record.losses).toEqual(losses);
    // One step in a thousand seconds, until the pace changes.
    const at = reached(1);
    const slow = recorded(tiny({ lastStep: 30 }), supply, at.onSteps);
    slow.run.setPace(0.001);
    slow.run.train();
    await at.promise;
    slow.run.setPace(Infinity);
    await slow.run.settled();
    expect(slow.record.losses).toEqual(losses);
    await run.close();
    await slow.run.close();
  });

  test('that waits for its pace pauses, steps and stops at once', async () => {
    const at = reached(1);
    const { run } = recorded(tiny(), supply, at.onSteps);
    run.setPace(0.001);
    run.train();
    await at.promise;
    await run.pause();
    expect([run.state, run.steps]).toEqual(['paused', 1]);
    run.train();
    await run.stepOnce();
    expect(run.steps).toBeLessThanOrEqual(3);
    await run.stop();
    expect(run.state).toBe('stopped');
    await run.close();
  });

  test('reports its speed without a limit: exact where it trained so, else a lower bound', async () => {
    const speeds: Speed[] = [];
    const { run } = recorded(tiny({ lastStep: 30 }), supply, undefined, {
      speed: (speed) => speeds.push(speed),
    });
    run.setPace(100);
    run.train();
    await run.settled();
    expect(speeds.every(({ atLeast }) => atLeast)).toBe(true);
    expect(speeds.at(-1)?.stepsPerSecond).toBeGreaterThan(0);
    run.setPace(Infinity);
    await run.restart();
    await run.settled();
    expect(speeds.at(-1)).toMatchObject({ atLeast: false });
    await run.close();
  });

  test('that is stopped still predicts, and resumes to the same bits', async () => {
    const at = reached(20);
    const { run, record } = recorded(tiny({ lastStep: 40 }), supply, at.onSteps);
    run.train();
    await at.promise;
    await run.stop();
    expect(record.states.at(-1)).toMatchObject({ state: 'stopped', step: run.steps });
    const { probabilities, step } = await run.predict(dataset.test.images.slice(0, 64));
    expect(step).toBe(run.steps);
    expect(probabilities.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
    run.train();
    await run.settled();
    expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: 40 });
    expect(record.losses).toEqual((await undisturbed(40)).losses);
    await run.close();
    expect(() => run.train()).toThrow(/was closed/);
    await expect(run.predict(dataset.test.images.slice(0, 64))).rejects.toMatchObject({ code: 'cancelled' });
  });

  test('answers simultaneous questions separately', async () => {
    const { run } = recorded(tiny({ lastStep: 30 }), supply);
    run.train();
    await run.settled();
    const images = Array.from({ length: 6 }, (_, i) => dataset.test.images.slice(64 * i, 64 * (i + 1)));
    const alone = [];
    for (const image of images) alone.push(await run.predict(image));
    expect(await Promise.all(images.map((image) => run.predict(image)))).toEqual(alone);
    expect(new Set(alone.map(({ probabilities }) => probabilities[0])).size).toBeGreaterThan(1);
    await run.close();
  });

  test('answers what it was asked before it is closed, and frees everything', async () => {
    const { run } = recorded(tiny({ lastStep: 1 }), supply);
    run.train();
    await run.settled();
    const image = dataset.test.images.slice(0, 64);
    const answers = [run.predict(image), run.predict(image)];
    await run.close();
    await Promise.all(answers);
    await expect(run.predict(image)).rejects.toMatchObject({ code: 'cancelled' });
    expect((await supply.get()).ledger).toMatchObject({ buffers: 0, bytes: 0 });
  });

  test('repeats an evaluation that a pause cut short', async () => {
    // More test images than one evaluation batch, so that an evaluation can be cut short.
    const many = {
      ...dataset.test,
      count: 2000,
      images: new Uint8Array(2000 * 64),
      labels: new Uint8Array(2000),
    };
    const config = tiny({ dataset: { ...dataset, test: many }, lastStep: 20 });
    const whole = recorded(config, supply);
    whole.run.train();
    await whole.run.settled();
    await whole.run.close();

    const at = reached(10);
    const { run, record } = recorded(config, supply, at.onSteps);
    run.train();
    await at.promise;
    await run.pause();
    expect(run.steps).toBe(10);
    expect(record.evaluations).toEqual([]);
    run.train();
    await run.settled();
    expect(record.evaluations).toEqual(whole.record.evaluations);
    expect(record.evaluations.map(({ step }) => step)).toEqual([10, 20]);
    await run.close();
  });

  test('that diverges fails with advice, and can be restarted', async () => {
    const { run, record } = recorded(tiny({ optimizer: 'sgd', lr: 1e6 }), supply);
    run.train();
    await run.settled();
    expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'diverged' });
    expect(run.isOpen).toBe(false);
    const losses = record.losses.slice(0, 1);
    await run.restart();
    await run.settled();
    expect(record.losses.slice(0, 1)).toEqual(losses);
    expect(run.state).toBe('failed');
    await run.close();
  });
});

describe('the device is lost', () => {
  test('while it trains: the run resumes to the same bits', async () => {
    let lossesOfDevice = 0;
    const { run, record } = recorded(tiny({ lastStep: 60 }), supply, (last) => {
      if ((last >= 7 && lossesOfDevice === 0) || (last >= 33 && lossesOfDevice === 1)) {
        lossesOfDevice++;
        void lose();
      }
    });
    run.train();
    await run.settled();
    expect(lossesOfDevice).toBe(2);
    expect(record.states.filter(({ state }) => state === 'recovering')).toHaveLength(2);
    expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: 60 });
    const { losses, evaluations, parameters } = await undisturbed(60);
    expect(record.losses).toEqual(losses);
    for (const { step, loss } of record.reported) expect(loss).toBe(losses[step - 1]);
    expect(record.evaluations.at(-1)).toEqual(evaluations.at(-1));
    expect(await run.stateDict()).toEqual(parameters);
    await run.close();
  });

  test('while it is paused: it predicts, steps and resumes from where it was', async () => {
    const at = reached(13);
    const { run, record } = recorded(tiny({ lastStep: 40 }), supply, at.onSteps);
    run.train();
    await at.promise;
    await run.pause();
    const { steps } = run;
    const image = dataset.test.images.slice(0, 64);
    const answer = await run.predict(image);
    await lose();
    expect(await run.predict(image)).toEqual(answer);
    expect([run.state, run.steps]).toEqual(['paused', steps]);
    await lose();
    await run.stepOnce();
    expect([run.state, run.steps]).toEqual(['paused', steps + 1]);
    run.train();
    await run.settled();
    expect(record.losses).toEqual((await undisturbed(40)).losses);
    await run.close();
  });

  test('after it was stopped: it predicts the same', async () => {
    const { run } = recorded(tiny({ lastStep: 25 }), supply);
    run.train();
    await run.settled();
    await run.stop();
    const image = dataset.test.images.slice(64, 128);
    const answer = await run.predict(image);
    await lose();
    expect(await run.predict(image)).toEqual(answer);
    expect(run.state).toBe('stopped');
    await run.close();
  });

  test('at the moment of a pause: it pauses at the right step', async () => {
    let paused: Promise<void> | undefined;
    let at = 0;
    const { run, record } = recorded(tiny(), supply, (last, training) => {
      if (last < 13 || paused) return;
      void lose();
      paused = training.pause();
      at = training.steps;
    });
    run.train();
    await run.settled();
    await paused;
    expect([run.state, run.steps]).toEqual(['paused', at]);
    expect(record.losses).toEqual((await undisturbed(at)).losses);
    await run.close();
  });

  test('again and again without progress: the run fails and says so', async () => {
    const { run, record } = recorded(tiny(), supply, () => void lose());
    run.train();
    await run.settled();
    expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'device-lost' });
    await run.close();
  });
});

describe('the device does not come back', () => {
  test('the run fails, and says what to do', async () => {
    const none = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;
    let gone = false;
    const opened: Device[] = [];
    const events: string[] = [];
    const leaving = new DeviceSupply(
      async () => openDevice(gone ? none : await nodeGpu()),
      (event) => {
        events.push(event.state);
        if (event.state === 'ready') opened.push(event.device);
      },
      [0, 10, 20],
    );
    const { run, record } = recorded(tiny(), leaving, () => {
      gone = true;
      opened[0].destroy();
    });
    run.train();
    await run.settled();
    expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'no-webgpu' });
    await expect(run.predict(dataset.test.images.slice(0, 64))).rejects.toMatchObject({ code: 'no-webgpu' });
    // Three tries, whoever asks.
    expect(events).toEqual(['ready', 'lost', 'recovering', 'recovering', 'recovering', 'unavailable']);
    // Once the device is back, and some time later, the model of the last checkpoint predicts.
    gone = false;
    await new Promise((done) => setTimeout(done, 150));
    expect((await run.predict(dataset.test.images.slice(0, 64))).step).toBe(run.steps);
    await run.close();
    opened[1].destroy();
  });
});
