/** What a pupil does in each lesson, wrong answers first. */
import { expect, type Locator, type Page } from '@playwright/test';
import { zipOf } from '../src/data/testing.ts';
import { photo } from './photos.ts';
import { RunPage, ZERO } from './run.ts';

export const panel = (page: Page): Locator => page.getByRole('region', { name: 'Lesson', exact: true });

/** One task: what is done until its checks hold. */
type Act = (run: RunPage, card: Locator) => Promise<void>;

interface Walk {
  title: string;
  /** A wrong guess, and part of what is right. */
  guess: string;
  right: string;
  acts: Act[];
}

/** It comes by itself, with what trains already. */
const nothing: Act = async () => undefined;

const train: Act = (run) => run.press('Train');

/** Twenty photos of each of two things, as an archive of two folders. */
const photos = () => ({
  name: 'things.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(
    zipOf(
      ['ball', 'star'].flatMap((thing) =>
        Array.from({ length: 20 }, (_, i) => ({ path: `things/${thing}/${i}.png`, data: photo(thing, i) })),
      ),
    ),
  ),
});

/** What this task prepares, and Train. */
const setUpAndTrain: Act = async (run, card) => {
  await card.getByRole('button', { name: 'Set up this task' }).click();
  await expect(run.value('Status')).not.toHaveText('Training');
  await run.press('Train');
};

/** A wrong answer, which is said to be wrong, and then the right one. */
const answer =
  (wrong: string, right: string): Act =>
  async (_, card) => {
    await card.getByRole('radio', { name: wrong, exact: true }).check();
    await expect(card).toContainText('That is not it.');
    await expect(card.getByRole('button', { name: 'Skip' })).toBeVisible();
    await card.getByRole('radio', { name: right, exact: true }).check();
  };

export const WALKS: Readonly<Record<string, Walk>> = {
  loss: {
    title: 'What a loss is',
    guess: 'About 10',
    right: 'About 2.3',
    acts: [
      (run) => run.press('Step'),
      answer('Close to 0', 'Close to 2.3'),
      (run) => run.press('Resume'),
      nothing,
    ],
  },
  'learning-rate': {
    title: 'The learning rate, broken and mended',
    guess: 'It learns a million times as fast',
    right: 'Its numbers grow without end',
    acts: [
      train,
      setUpAndTrain,
      async (run, card) => {
        await card.getByRole('button', { name: 'Set up this task' }).click();
        await run.set('Learning rate', '0.1');
        await run.press('Train');
      },
    ],
  },
  filters: {
    title: 'What a filter sees',
    guess: 'No better than guessing: 10 of 100 right',
    right: 'Nearly as well as usual',
    acts: [
      train,
      async (run, card) => {
        await expect(run.page.locator('main')).toHaveAttribute('data-screen', 'inspect');
        await answer('A single pixel', '5 by 5 pixels')(run, card);
      },
      setUpAndTrain,
    ],
  },
  pooling: {
    title: 'Why pooling',
    guess: 'It becomes much faster',
    right: 'It has far more numbers to learn',
    acts: [
      train,
      async ({ page }) => {
        for (const left of [2, 1]) {
          const rows = page.getByRole('treegrid').getByRole('row', { name: /^Max pooling/ });
          await expect(rows).toHaveCount(left);
          await rows.first().click();
          await page.keyboard.press('Delete');
        }
        await page.getByRole('button', { name: /^(Use in Train|Stop the run and use)$/ }).click();
      },
      answer('About twice as many', 'About 18 times as many'),
      train,
    ],
  },
  depth: {
    title: 'Depth, without and with skips',
    guess: 'About the same',
    right: 'Worse',
    acts: [
      train,
      setUpAndTrain,
      setUpAndTrain,
      setUpAndTrain,
      answer('All pictures of a step', 'The output of two convolutions and what went into them'),
    ],
  },
  initialisation: {
    title: 'A good start: initial weights',
    guess: 'It learns half as fast',
    right: 'It does not learn at all',
    acts: [train, answer('About a half', 'About one ten-thousandth'), setUpAndTrain],
  },
  confidence: {
    title: 'Is it sure?',
    guess: 'Never more than 50 %',
    right: 'More than 80 %',
    acts: [
      // Nearly a digit, and none: a ring with a line through it.
      async (run) => run.draw([...ZERO, [0.5, 0.1], [0.5, 0.9]]),
      setUpAndTrain,
      async (run) => {
        await run.page.getByRole('button', { name: 'Clear' }).first().click();
        await run.draw(ZERO);
      },
    ],
  },
  overfitting: {
    title: 'Overfitting',
    guess: 'Few of either, because 50 pictures are not enough',
    right: 'Nearly all of the 50, but far fewer',
    acts: [train, nothing, setUpAndTrain],
  },
  'wrong-labels': {
    title: 'Wrong labels',
    guess: 'About 10: it cannot learn from that',
    right: 'More than 80',
    acts: [
      train,
      answer('It has forgotten them', 'It is compared with labels that are wrong'),
      setUpAndTrain,
    ],
  },
  augmentation: {
    title: 'Augmentation',
    guess: 'The one with the pictures as they are',
    right: 'The one with moved pictures',
    acts: [
      train,
      setUpAndTrain,
      answer('Yes, more pictures are always better', 'No, a mirrored digit is mostly not a digit'),
    ],
  },
  'own-photos': {
    title: 'Your own photos',
    guess: 'Yes, with any network',
    right: 'Yes, with a network that has already learnt',
    acts: [
      async (run) => {
        await run.open('Data');
        await run.page.getByLabel('Files of images').setInputFiles(photos());
        await run.page.getByRole('button', { name: 'Use these images' }).click();
      },
      async ({ page }) => {
        await page.getByLabel('Start from').selectOption({ label: 'ResNet-20 trained on CIFAR-10' });
      },
      async (run) => {
        await run.closePanel();
        await run.press('Train');
      },
    ],
  },
  'batch-size': {
    title: 'Batch size',
    guess: 'It makes no difference, because the pictures are the same',
    right: 'Batches of 20',
    acts: [train, setUpAndTrain, answer('10,000', '500')],
  },
};

/** Does a whole lesson from its own page. */
export async function walk(page: Page, name: string): Promise<void> {
  const { title, guess, right, acts } = WALKS[name];
  const run = new RunPage(page);
  const card = panel(page);
  await page.goto(`./#/lessons/${name}`);
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  const setUp = page.getByRole('button', { name: 'Set it up' });
  await expect(setUp).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('radio', { name: guess, exact: true }).first().check();
  await setUp.click();
  for (const [i, act] of acts.entries()) {
    await expect(card).toContainText(`Task ${i + 1} of ${acts.length}`);
    await act(run, card);
    await card.getByRole('button', { name: /^(Next|To the end)$/ }).click();
  }
  await expect(card).toContainText(`You guessed “${guess}”. The right answer is “${right}`);
  await card.getByRole('link', { name: 'Read why' }).click();
  await expect(page.getByText(`You guessed “${guess}”.`)).toBeVisible();
}
