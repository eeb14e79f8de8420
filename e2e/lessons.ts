/** What a pupil does in each lesson, wrong answers first. */
import { expect, type Locator, type Page } from '@playwright/test';
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

const train: Act = (run) => run.press('Train');

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
      async () => undefined,
    ],
  },
  'learning-rate': {
    title: 'The learning rate, broken and mended',
    guess: 'It learns a thousand times as fast',
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
        for (const name of ['pool1', 'pool2']) {
          await page
            .getByRole('treegrid')
            .getByRole('row', { name: new RegExp(` ${name}\\b`) })
            .click();
          await page.keyboard.press('Delete');
        }
        await page.getByRole('button', { name: /[Uu]se in Train$/ }).click();
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
      answer('All pictures of a batch', 'The output of two convolutions and what went into them'),
    ],
  },
  initialisation: {
    title: 'A good start: initial weights',
    guess: 'It learns twice as slowly',
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
