/** A GPU with smaller limits than others: what fits trains, what does not is refused with what it needs and what there is. */
import { beforeWorker, expect, test } from './fixtures.ts';
import { RunPage } from './run.ts';

test.use({ engine: 'gpu' });

/** Those of compatibility mode, and less than that for a buffer. */
const LIMITS = {
  maxComputeInvocationsPerWorkgroup: 128,
  maxComputeWorkgroupSizeX: 128,
  maxComputeWorkgroupSizeY: 128,
  maxComputeWorkgroupStorageSize: 16384,
  maxStorageBuffersPerShaderStage: 8,
  maxUniformBufferBindingSize: 16384,
  maxStorageBufferBindingSize: 2 ** 23,
  maxBufferSize: 2 ** 23,
};

/** Goes before the worker's code. A device never has less than WebGPU's defaults, so what it says is changed, too. */
const WITH_LIMITS = `{
  const least = ${JSON.stringify(LIMITS)};
  const narrow = (one) => {
    const limits = new Proxy(one.limits, { get: (of, name) => least[name] ?? of[name] });
    return Object.defineProperty(one, 'limits', { value: limits });
  };
  const { requestAdapter } = GPU.prototype;
  GPU.prototype.requestAdapter = async function (...given) {
    return narrow(await requestAdapter.apply(this, given));
  };
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function ({ requiredFeatures }) {
    return narrow(await requestDevice.call(this, { requiredFeatures }));
  };
}\n`;

test('8 MiB per buffer: a small batch trains, a large one is refused, and the next small one trains', async ({
  page,
}) => {
  await beforeWorker(page, WITH_LIMITS);
  const run = await RunPage.open(page);
  const trains = async () => {
    await run.set('Batch size', '8');
    await run.press('Train');
    await run.reaches(3);
    await run.press('Stop');
    await expect(run.value('Status')).toHaveText('Stopped');
  };
  await trains();
  const { bytes } = await page.evaluate<{ bytes: number }>('wgrad.ledger()');
  await run.set('Batch size', '2000');
  await run.press('Train');
  await expect(page.getByRole('alert')).toContainText(
    /LeNet-5 with batch 2000 does not fit: (buffer|tensor) “.*” needs [\d.]+\sMiB; this device allows 8\.0\sMiB per/,
  );
  await trains();
  expect((await page.evaluate<{ bytes: number }>('wgrad.ledger()')).bytes).toBeLessThanOrEqual(1.5 * bytes);
});
