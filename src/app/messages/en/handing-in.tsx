/** The texts of handing in a lesson's result, and of looking at what was handed in. */
import * as format from '../../format.ts';
import { formsOf } from '../forms.ts';

const { many, word } = formsOf('en');
const files = { one: 'file', other: 'files' };
const runs = { one: 'run', other: 'runs' };
const results = { one: 'result', other: 'results' };

const english = {
  pupil: {
    title: 'Hand it in',
    about:
      'Your teacher can get a small file with your answers, your settings and your losses. It stays on this computer until you pass it on.',
    name: 'Your name, if you want it in the file',
    save: 'Save the file',
    saving: 'The file is being made.',
    saved: (name: string, code: string) => `Saved as ${name}. Its code is ${code}: write it down.`,
    failed: 'The file could not be made',
  },
  teacher: {
    title: 'Results that were handed in',
    about:
      'Open the files that your pupils saved, one by one, all at once, or as one zip archive. They stay on this computer, and are gone when you close the page.',
    drop: 'Drop the files here.',
    choose: 'Choose files…',
    label: 'Files that were handed in',
    reading: 'The files are being read.',
    read: (count: number) => `${many(count, results)} here.`,
    failed: (count: number) => `${many(count, files)} could not be read`,
    clear: 'Remove all',
    answers: (lesson: string) => `Answers: ${lesson}`,
    runs: (lesson: string) => `Runs: ${lesson}`,
    losses: 'Loss',
    columns: {
      name: 'Name',
      code: 'Code',
      guess: 'Guess',
      answer: (task: number) => `Answer in task ${task}`,
      done: 'Tasks done',
      took: 'Took',
      run: 'Run',
      steps: 'Steps',
      seed: 'Seed',
      engine: 'On',
      test: 'Test accuracy',
      again: 'Computed again',
    },
    unnamed: 'No name',
    ofTasks: (done: number, all: number) => `${done} of ${all}`,
    unmet: (tasks: readonly number[]) =>
      `Not done, by the answers and runs in the file: ${word(tasks.length, { one: 'task', other: 'tasks' })} ${tasks.join(', ')}`,
    answer: (number: number) => `Answer ${number}`,
    tries: (answer: string, count: number) => `${answer} (${count} tries)`,
    none: '–',
    runOf: (name: string, task: number) => `${name}, task ${task}`,
    otherLesson: 'These results are of another version of this lesson than the one on this page.',
    unknownLesson: 'This page does not have this lesson, so answers are shown by their numbers.',
    noRuns: 'No runs were handed in with this lesson.',
  },
  again: {
    title: 'Compute them again',
    about:
      'The page trains each run again on the CPU, with the same settings and seed, and compares the numbers. This takes about as long as the pupils’ training did. You can go on working meanwhile.',
    sample: 'How much',
    samples: { all: 'Everything', first: 'First 50 steps', third: 'A random third' },
    start: 'Compute again',
    stop: 'Stop',
    running: (run: number, all: number, step: number, steps: number, time: string) =>
      `Run ${run} of ${all}, step ${format.count(step)} of ${format.count(steps)}. ${time} so far.`,
    finished: (count: number, time: string) => `${many(count, runs)} computed again in ${time}.`,
    stopped: (count: number, time: string) => `Stopped after ${many(count, runs)}, ${time}.`,
    failed: 'Computing again failed',
    fair: 'A result that differs is no proof of anything. Ask how it came about.',
  },
  verdict: {
    waiting: 'Not computed yet',
    running: 'Being computed',
    confirmed: 'Confirmed',
    confirmedWhy: 'exactly the same numbers',
    agrees: 'Agrees',
    agreesWhy: 'made on a GPU, and as near as GPUs come to the CPU',
    firstSteps: (steps: number) => `first ${format.steps(steps)}`,
    differs: 'Differs',
    what: {
      loss: (step: number) => `from step ${format.count(step)}: loss`,
      checksum: (step: number) =>
        `within the first ${format.steps(step)}, at one whose loss is not in the file: checksum`,
      testLoss: (step: number) => `test loss at step ${format.count(step)}:`,
      testAccuracy: (step: number) => `test accuracy at step ${format.count(step)}:`,
      validationLoss: (step: number) => `validation loss at step ${format.count(step)}:`,
      validationAccuracy: (step: number) => `validation accuracy at step ${format.count(step)}:`,
    },
    both: (there: string, here: string) => `${there} in the file, ${here} here`,
    none: 'none',
    unchecked: 'Cannot be checked',
    why: {
      own: 'trained on the pupil’s own pictures, which are not in the file',
      images: 'trained on other images than those here',
      start: (run: string) => `started from the weights of another run, “${run}”`,
      version: (there: string, here: string) =>
        `made with version ${there} of wgrad, and this is ${here}: the numbers may differ for that reason`,
    },
  },
};

export type HandingInTexts = typeof english;

export default english;
