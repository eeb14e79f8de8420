import { compressed } from '../../src/app/share/compress.ts';
import { ZERO } from '../run.ts';
import { expectStatus, read, type Tab } from './tab.ts';
import { expect } from './visit.ts';

/** Half of LeNet-5, with an eighth of its multiplications: WebKit takes twenty seconds of a core for an epoch of the whole one. */
const NETWORK = {
  name: 'half',
  title: 'Half of LeNet-5',
  input: [1, 28, 28],
  classes: 10,
  layers: [
    { name: 'conv1', op: 'conv', attributes: { outChannels: 6, kernelSize: 5, stride: 2, padding: 2 } },
    { name: 'relu1', op: 'relu' },
    { name: 'pool1', op: 'max_pool', attributes: { kernelSize: 2, stride: 2 } },
    { name: 'conv2', op: 'conv', attributes: { outChannels: 16, kernelSize: 3 } },
    { name: 'relu2', op: 'relu' },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 10 } },
  ],
};

/** The address that brings the network which `trainDrawResume` trains. */
export const networkAddress = async (): Promise<string> =>
  `#/train?v=2&net=${await compressed(JSON.stringify(NETWORK))}`;

/** In a tab at `networkAddress`, a person trains on the processor, draws, and resumes after a reload. @param name of the browser */
export async function trainDrawResume(name: string, tab: Tab): Promise<void> {
  await expectStatus(tab, 'Ready');
  await tab.pressFirst('Apply settings');
  // Ten times the usual rate gets there in an epoch.
  await tab.set('Learning rate', '0.01');
  const pressed = Date.now();
  await tab.press('Train');
  // The first epoch ends with a test.
  await expect
    .poll(() => read(tab, 'Test accuracy'), { timeout: 240_000, message: 'test accuracy in %' })
    .toBeGreaterThan(95);
  console.log(`${name}: ${await tab.value('Test accuracy')} after ${Date.now() - pressed} ms`);

  await tab.draw(ZERO);
  await expect.poll(() => tab.answer()).toBe('0');
  await tab.press('Pause');
  await expectStatus(tab, 'Paused');
  const step = await tab.value('Step');
  // What is paused is saved a moment later.
  await expect.poll(() => tab.evaluate('wgrad.savedStep()')).toBe(Number(step.replaceAll(',', '')));

  await tab.reload();
  await tab.pressFirst(`Resume from step ${step}`);
  await expect.poll(() => read(tab, 'Step')).toBeGreaterThan(Number(step.replaceAll(',', '')));
  await tab.press('Stop');
  await expectStatus(tab, 'Stopped');
}
