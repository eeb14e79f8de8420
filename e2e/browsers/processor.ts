import { ZERO } from '../run.ts';
import { expectStatus, read, type Tab } from './tab.ts';
import { expect } from './visit.ts';

/** The address of a run that does not end while a person looks at it. */
export const LONG = '#/train?v=2&epochs=100';

/** In a tab that is open there, a person trains on the processor, draws, and resumes after a reload. @param name of the browser */
export async function trainDrawResume(name: string, tab: Tab): Promise<void> {
  await expectStatus(tab, 'Ready');
  // Four times the usual rate gets there in an epoch.
  await tab.set('Learning rate', '0.004');
  const pressed = Date.now();
  await tab.press('Train');
  // The first epoch ends with a test.
  await expect.poll(() => read(tab, 'Test accuracy'), { message: 'test accuracy in %' }).toBeGreaterThan(95);
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
