import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { nodeGpu } from '../node/gpu.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { Device } from '../gpu/device.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { dataset, recorded, testSupply, tiny } from './testing.ts';

const { supply, devices } = testSupply();
afterAll(async () => {
  for (const device of devices) expect(device.uncaught).toEqual([]);
  expect((await supply.get()).ledger).toMatchObject({ buffers: 0, bytes: 0 });
});

/** Losses and final parameters of a run that nothing disturbs. */
async function undisturbed(lastStep: number, seed = 1) {
  const { session, record } = recorded(tiny({ lastStep, seed }), supply);
  session.train();
  await session.settled();
  const parameters = await session.stateDict();
  await session.close();
  return { losses: record.losses, evaluations: record.evaluations, parameters };
}

/** Runs until `step` is told of. */
const reached = (step: number) => {
  let hit: () => void = () => undefined;
  const promise = new Promise<void>((done) => (hit = done));
  return { promise, onSteps: (last: number) => last >= step && hit() };
};

const lose = async () => (await supply.get()).destroy();

describe('a run', () => {
  test('learns, tells every step once and evaluates after every epoch', async () => {
    const { session, record } = recorded(tiny({ lastStep: 100 }), supply);
    session.train();
    await session.settled();
    expect(record.told.map(({ step }) => step)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
    expect(record.evaluations.map(({ step, epoch }) => [step, epoch])).toEqual(
      Array.from({ length: 10 }, (_, i) => [10 * (i + 1), i + 1]),
    );
    expect(record.evaluations.at(-1)?.evaluation.accuracy).toBeGreaterThan(0.9);
    expect(record.states.map(({ state }) => state)).toEqual(['preparing', 'training', 'paused']);
    await session.close();
  });

  test('with one seed gives the same bits, with another other ones', async () => {
    const [a, b, c] = [await undisturbed(40), await undisturbed(40), await undisturbed(40, 2)];
    expect(a.losses).toHaveLength(40);
    expect(b).toEqual(a);
    expect(c.losses).not.toEqual(a.losses);
  });

  test('pauses between steps and goes on with the same losses', async () => {
    const at = reached(7);
    const { session, record } = recorded(tiny({ lastStep: 60 }), supply, at.onSteps);
    session.train();
    await at.promise;
    await session.pause();
    const { steps } = session;
    expect(session.state).toBe('paused');
    expect(steps).toBeLessThan(60);
    expect(record.told.at(-1)?.step).toBe(steps);
    expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: steps });
    session.train();
    await session.settled();
    expect(record.losses).toEqual((await undisturbed(60)).losses);
    await session.close();
  });

  test('can be paused before it is prepared, and at once after it was started', async () => {
    const { session, record } = recorded(tiny(), supply);
    session.train();
    await session.pause();
    expect(session.steps).toBe(0);
    expect(record.told).toEqual([]);
    expect(record.states.map(({ state }) => state)).toEqual(['preparing', 'paused']);
    await session.close();
  });

  test('trains exactly one batch a step, also across an epoch, which it evaluates', async () => {
    const { session, record } = recorded(tiny(), supply);
    for (let step = 1; step <= 11; step++) {
      await session.stepOnce();
      expect(session.state).toBe('paused');
      expect(session.steps).toBe(step);
    }
    expect(record.losses).toEqual((await undisturbed(11)).losses);
    expect(record.evaluations.map(({ step }) => step)).toEqual([10]);
    // Several asked for at once are all done.
    await Promise.all([session.stepOnce(), session.stepOnce(), session.stepOnce()]);
    expect(session.steps).toBe(14);
    await session.close();
  });

  test('asked for one batch while it trains, does those in flight and one more', async () => {
    const at = reached(5);
    let atCall = 0;
    const { session } = recorded(tiny(), supply, at.onSteps);
    session.train();
    await at.promise;
    const done = session.stepOnce();
    atCall = session.steps;
    await done;
    expect(session.state).toBe('paused');
    expect(session.steps).toBe(atCall + 1);
    await session.close();
  });

  test('restarts to bit-equal losses, while it trains and at rest', async () => {
    const at = reached(15);
    const { session, record } = recorded(tiny({ lastStep: 30 }), supply, at.onSteps);
    session.train();
    await at.promise;
    session.restart();
    await session.settled();
    expect(record.restarts).toBe(1);
    const { losses, evaluations } = await undisturbed(30);
    expect(record.losses).toEqual(losses);
    expect(record.evaluations).toEqual(evaluations);
    session.restart();
    await session.settled();
    expect(record.restarts).toBe(2);
    expect(record.losses).toEqual(losses);
    await session.close();
  });

  test('restarted and paused in one breath is at step 0, and steps from there', async () => {
    const at = reached(12);
    const { session, record } = recorded(tiny(), supply, at.onSteps);
    session.train();
    await at.promise;
    session.restart();
    await session.pause();
    expect([session.state, session.steps]).toEqual(['paused', 0]);
    await session.stepOnce();
    expect(session.steps).toBe(1);
    expect(record.losses).toEqual((await undisturbed(1)).losses);
    await session.close();
  });

  test('that is stopped goes on answering, and cannot go on', async () => {
    const at = reached(20);
    const { session, record } = recorded(tiny(), supply, at.onSteps);
    session.train();
    await at.promise;
    await session.stop();
    expect(record.states.at(-1)).toMatchObject({ state: 'stopped', step: session.steps });
    const { probabilities, step } = await session.predict(dataset.test.images.slice(0, 64));
    expect(step).toBe(session.steps);
    expect(probabilities.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
    expect(() => session.train()).toThrow(/has ended/);
    await session.close();
    await expect(session.predict(dataset.test.images.slice(0, 64))).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  test('answers questions asked at once each for itself', async () => {
    const { session } = recorded(tiny({ lastStep: 30 }), supply);
    session.train();
    await session.settled();
    const images = Array.from({ length: 6 }, (_, i) => dataset.test.images.slice(64 * i, 64 * (i + 1)));
    const alone = [];
    for (const image of images) alone.push(await session.predict(image));
    expect(await Promise.all(images.map((image) => session.predict(image)))).toEqual(alone);
    expect(new Set(alone.map(({ probabilities }) => probabilities[0])).size).toBeGreaterThan(1);
    await session.close();
  });

  test('makes up for an evaluation that a pause cut short', async () => {
    // More test images than one evaluation batch, so that there is something to cut.
    const many = {
      ...dataset.test,
      count: 2000,
      images: new Uint8Array(2000 * 64),
      labels: new Uint8Array(2000),
    };
    const config = tiny({ dataset: { ...dataset, test: many }, lastStep: 20 });
    const whole = recorded(config, supply);
    whole.session.train();
    await whole.session.settled();
    await whole.session.close();

    const at = reached(10);
    const { session, record } = recorded(config, supply, at.onSteps);
    session.train();
    await at.promise;
    await session.pause();
    expect(session.steps).toBe(10);
    expect(record.evaluations).toEqual([]);
    session.train();
    await session.settled();
    expect(record.evaluations).toEqual(whole.record.evaluations);
    expect(record.evaluations.map(({ step }) => step)).toEqual([10, 20]);
    await session.close();
  });

  test('that diverges fails with advice, and can be restarted', async () => {
    const settings = { ...optimizers.get('sgd').defaults, lr: 1e6 };
    const { session, record } = recorded(tiny({ optimizer: 'sgd', settings }), supply);
    session.train();
    await session.settled();
    expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'diverged' });
    expect(session.isOpen).toBe(false);
    const losses = record.losses.slice(0, 1);
    session.restart();
    await session.settled();
    expect(record.losses.slice(0, 1)).toEqual(losses);
    expect(session.state).toBe('failed');
    await session.close();
  });
});

describe('the device is lost', () => {
  test('while it trains: the run goes on to the same bits', async () => {
    let lossesOfDevice = 0;
    const { session, record } = recorded(tiny({ lastStep: 60 }), supply, (last) => {
      if ((last >= 7 && lossesOfDevice === 0) || (last >= 33 && lossesOfDevice === 1)) {
        lossesOfDevice++;
        void lose();
      }
    });
    session.train();
    await session.settled();
    expect(lossesOfDevice).toBe(2);
    expect(record.states.filter(({ state }) => state === 'recovering')).toHaveLength(2);
    expect(record.states.at(-1)).toMatchObject({ state: 'paused', step: 60 });
    const { losses, evaluations, parameters } = await undisturbed(60);
    expect(record.losses).toEqual(losses);
    for (const { step, loss } of record.told) expect(loss).toBe(losses[step - 1]);
    expect(record.evaluations.at(-1)).toEqual(evaluations.at(-1));
    expect(await session.stateDict()).toEqual(parameters);
    await session.close();
  });

  test('while it is paused: it answers, steps and goes on from where it was', async () => {
    const at = reached(13);
    const { session, record } = recorded(tiny({ lastStep: 40 }), supply, at.onSteps);
    session.train();
    await at.promise;
    await session.pause();
    const { steps } = session;
    const image = dataset.test.images.slice(0, 64);
    const answer = await session.predict(image);
    await lose();
    expect(await session.predict(image)).toEqual(answer);
    expect([session.state, session.steps]).toEqual(['paused', steps]);
    await lose();
    await session.stepOnce();
    expect([session.state, session.steps]).toEqual(['paused', steps + 1]);
    session.train();
    await session.settled();
    expect(record.losses).toEqual((await undisturbed(40)).losses);
    await session.close();
  });

  test('after it was stopped: it answers the same', async () => {
    const { session } = recorded(tiny({ lastStep: 25 }), supply);
    session.train();
    await session.settled();
    await session.stop();
    const image = dataset.test.images.slice(64, 128);
    const answer = await session.predict(image);
    await lose();
    expect(await session.predict(image)).toEqual(answer);
    expect(session.state).toBe('stopped');
    await session.close();
  });

  test('in the moment of a pause: it rests where it was told to', async () => {
    let paused: Promise<void> | undefined;
    let at = 0;
    const { session, record } = recorded(tiny(), supply, (last, run) => {
      if (last < 13 || paused) return;
      void lose();
      paused = run.pause();
      at = run.steps;
    });
    session.train();
    await session.settled();
    await paused;
    expect([session.state, session.steps]).toEqual(['paused', at]);
    expect(record.losses).toEqual((await undisturbed(at)).losses);
    await session.close();
  });

  test('again and again without getting on: the run fails and says so', async () => {
    const { session, record } = recorded(tiny(), supply, () => void lose());
    session.train();
    await session.settled();
    expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'device-lost' });
    await session.close();
  });
});

describe('the device does not come back', () => {
  test('the run fails, and says what to do', async () => {
    const none = { requestAdapter: () => Promise.resolve(null) } as unknown as GPU;
    let gone = false;
    const opened: Device[] = [];
    const events: string[] = [];
    const leaving = new DeviceSupply(
      () => (gone ? none : nodeGpu()),
      (event) => {
        events.push(event.state);
        if (event.state === 'ready') opened.push(event.device);
      },
    );
    const { session, record } = recorded(tiny(), leaving, () => {
      gone = true;
      opened[0].destroy();
    });
    session.train();
    await session.settled();
    expect(record.states.at(-1)).toMatchObject({ state: 'failed', code: 'no-webgpu' });
    expect(events).toEqual(['ready', 'lost', 'recovering', 'recovering', 'recovering', 'unavailable']);
    await expect(session.predict(dataset.test.images.slice(0, 64))).rejects.toMatchObject({
      code: 'no-webgpu',
    });
    // Once it is there again, the model as it was last kept answers.
    gone = false;
    expect((await session.predict(dataset.test.images.slice(0, 64))).step).toBe(session.steps);
    await session.close();
    opened[1].destroy();
  });
});

describe('in the long run', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  test('a thousand runs started and stopped leave the buffers and the heap as they were', async () => {
    const config = tiny({ lastStep: 1 });
    const device = await supply.get();
    const memory: number[] = [];
    for (let cycle = 0; cycle < 1000; cycle++) {
      const { session } = recorded(config, supply);
      session.train();
      await session.settled();
      await session.stop();
      expect(session.steps).toBe(1);
      await session.close();
      expect(device.ledger).toMatchObject({ buffers: 0, bytes: 0 });
      if (cycle % 50 === 49) {
        // What has just ended lets go of its last things a moment later.
        await new Promise((done) => setTimeout(done, 20));
        collectGarbage();
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        memory.push(heapUsed + arrayBuffers);
      }
    }
    // The first samples still grow by what is compiled and cached once. A session that were kept would weigh over 5 kB.
    const growth = slope(memory.slice(4)) / 50;
    expect(growth, 'bytes that a cycle leaves').toBeLessThan(1000);
  }, 300_000);
});

/** Of the straight line through the values, by least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const covariance = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return covariance / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}
