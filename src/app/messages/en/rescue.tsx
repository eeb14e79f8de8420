/** The texts about a run that does not learn. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many } = formsOf('en');

const steps = { one: 'step', other: 'steps' };

export const rescue = inLanguage('rescue', {
  title: 'It is not learning',
  found: (loss: string, guessing: string, over: number) =>
    `Over the last ${many(over, steps)} its loss is ${loss} on average. Pure guessing gives ${guessing}. More steps are unlikely to help: most often, the learning rate is too high.`,
  offer: 'Try three learning rates',
  about:
    'Each rate is tried for 20 steps, from the last point at which the network had learnt something, or from the start. The best one is taken, if the loss really falls with it.',
  trying: 'Trying three learning rates…',
  works: (rate: number) => `Learning rate ${rate} works`,
  continues: (from: number) =>
    from === 0
      ? 'The run starts again with the rate whose loss fell the most.'
      : `The run continues from step ${count(from)}, where it was still learning, with the rate whose loss fell the most.`,
  none: 'None of the three learning rates helps',
  elsewhere: (doctor: string) => (
    <>
      The run is as it was. Look elsewhere: do the labels fit the images? Are all layers frozen, or badly
      initialised? <a href={doctor}>Doctor</a> checks these.
    </>
  ),
  tried: (of: number) => `What became of the loss in ${many(of, steps)}`,
  rate: 'Learning rate',
  still: 'no learning',
  loss: (of: number) => `Loss after ${many(of, steps)}`,
  verdict: 'Result',
  verdicts: { best: 'taken', helps: 'falls', not: 'does not fall', bad: 'explodes' },
});
