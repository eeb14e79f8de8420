import { beforeWorker, expect, expectAdapter, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test.describe('without a choice', () => {
  test.use({ engine: undefined });

  test('a GPU that the browser has only at the third request: the page answers, and computes on it', async ({
    page,
  }) => {
    await beforeWorker(page, `(${late.toString()})();`);
    const run = await RunPage.open(page);
    await expect(run.device('NVIDIA')).toBeVisible();
    await expect(run.answer()).toHaveText('3');
  });
});

test.use({ engine: 'gpu' });

/** In the worker: two requests are answered with null, and the GPU is none of software. */
function late() {
  const { prototype } = GPU;
  const { requestAdapter } = prototype;
  let asked = 0;
  prototype.requestAdapter = async function (options) {
    const adapter = ++asked > 2 ? await requestAdapter.call(this, options) : null;
    const info = { vendor: 'nvidia', architecture: 'hopper', device: '', description: '' };
    if (adapter) Object.defineProperty(adapter, 'info', { value: info });
    return adapter;
  };
}

test('the page opens with WebGPU; a run changes from the GPU to the CPU and back, and continues from its step', async ({
  page,
}) => {
  const run = await RunPage.open(page);
  await expect(page).toHaveTitle(/wgrad/);
  await expectAdapter(page);
  // Pause takes the place of Train.
  for (const name of ['Train', 'Step', 'Restart', 'Stop'] as const)
    await expect(run.control(name)).toBeVisible();
  await expect(await run.engine('GPU')).toBeChecked();
  await run.chooseSmallModel();
  await run.pace(40);
  await run.press('Train');
  await run.reaches(10);
  let step = 0;
  for (const [name, adapter] of [
    ['CPU', /CPU \(WebAssembly/],
    ['GPU', /SwiftShader \(software\)/],
  ] as const) {
    step = await run.read('Step');
    await (await run.engine(name)).click({ force: true });
    await expect(await run.engine(name)).toBeChecked();
    await expect(run.device(adapter)).toBeVisible();
    await run.reaches(step + 10);
    await expect(run.value('Status')).toHaveText('Training');
  }
  await run.press('Pause');
  await expect(run.value('Status')).toHaveText('Paused');
  step = await run.read('Step');
  // A paused run stays paused.
  await (await run.engine('CPU')).click({ force: true });
  await expect(run.device(/CPU \(WebAssembly/)).toBeVisible();
  await expect(run.value('Step')).toHaveText(String(step));
  await expect(run.value('Status')).toHaveText('Paused');
  await run.press('Resume');
  await run.reaches(step + 10);
  await run.press('Stop');
});
