import { ZERO } from '../run.ts';
import { expectStatus, read } from './tab.ts';
import { expect, test, type BrowserName } from './visit.ts';

/** Chromium without WebGPU has a journey of its own: cpu.spec.ts. */
const WITHOUT_WEBGPU: readonly BrowserName[] = ['Firefox without WebGPU', 'WebKitGTK'];

for (const name of WITHOUT_WEBGPU) {
  test(`${name}: a person trains on the processor, draws, and resumes after a reload`, async ({ visit }) => {
    const tab = await visit(name);
    await tab.open();
    await expectStatus(tab, 'Ready');
    // Twice the usual rate learns as well, and gets there in one epoch.
    await tab.set('Learning rate', '0.002');
    const pressed = Date.now();
    await tab.press('Train');
    await expect
      .poll(() => read(tab, 'Test accuracy'), { timeout: 60_000, message: 'test accuracy in %' })
      .toBeGreaterThan(95);
    console.log(`${name}: ${await tab.value('Test accuracy')} after ${Date.now() - pressed} ms`);

    await tab.draw(ZERO);
    await expect.poll(() => tab.answer()).toBe('0');
    await tab.press('Pause');
    await expectStatus(tab, 'Paused');
    const step = await tab.value('Step');

    await tab.reload();
    await tab.pressFirst(`Resume from step ${step}`);
    await expect.poll(() => read(tab, 'Step')).toBeGreaterThan(Number(step.replaceAll(',', '')));
    await tab.press('Stop');
    await expectStatus(tab, 'Stopped');
  });
}
