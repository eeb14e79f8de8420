import { useEffect, useState } from 'react';
import type { Evaluation } from '../../run/metrics/rows.ts';
import * as format from '../format.ts';
import { testedOn } from '../journal/record.ts';
import { live } from '../metrics/live.ts';
import { runStanding, type Standing } from '../state/run.ts';
import { useApp } from '../state/store.ts';

/** A fast GPU trains several epochs per second; speech cannot keep up. */
const SPEAK_EVERY_MS = 4000;

const accuracyOf = (evaluation: Evaluation): string =>
  format.accuracy(evaluation.testAccuracy, testedOn(evaluation));

const STATES: Record<Standing, string> = {
  idle: '',
  preparing: 'Starting the run.',
  training: 'Training.',
  saving: 'Saving.',
  paused: 'Paused.',
  recovering: 'GPU connection lost. Reconnecting.',
  stopped: 'Stopped.',
  failed: 'The run failed.',
  finished: 'Finished.',
  stoppedEarly: 'Stopped early.',
};

/**
 * Announces changes of state, finished epochs and downloads to screen readers. The tab's title names the screen, after the
 * run's state and accuracy, which are seen while another tab is open.
 * @param screen its title
 */
export function Announcer({ screen }: { screen: string }) {
  const standing = useApp(runStanding);
  const [message, setMessage] = useState('');
  useEffect(() => {
    let spoken = runStanding(useApp.getState());
    return useApp.subscribe((state, before) => {
      const now = runStanding(state);
      // That a run which has finished is stopped changes nothing for a person.
      if (state.runState !== before.runState && now !== spoken) setMessage(STATES[now]);
      spoken = now;
      for (const { name, title, shipped, status } of state.datasets) {
        const old = before.datasets.find((dataset) => dataset.name === name)?.status.state;
        if (shipped || old === undefined || old === status.state) continue;
        if (status.state === 'ready') setMessage(`${title} is ready.`);
        if (status.state === 'downloading') setMessage(`Downloading ${title}.`);
      }
    });
  }, []);
  useEffect(() => {
    let spoken = 0;
    let spokenAt = 0;
    return live.subscribe(() => {
      const evaluation = live.lastEvaluation;
      if (!evaluation) {
        spoken = 0;
        return;
      }
      if (evaluation.epoch === spoken || performance.now() - spokenAt < SPEAK_EVERY_MS) return;
      spoken = evaluation.epoch;
      spokenAt = performance.now();
      setMessage(`Epoch ${evaluation.epoch}: test accuracy ${accuracyOf(evaluation)}.`);
    });
  }, []);
  useEffect(() => {
    const show = () => {
      const accuracy = live.lastEvaluation ? ` ${accuracyOf(live.lastEvaluation)}` : '';
      const run = standing === 'idle' ? '' : `${STATES[standing].replace('.', '')}${accuracy} · `;
      const title = `${run}${screen} · wgrad`;
      if (document.title !== title) document.title = title;
    };
    show();
    return live.subscribe(show);
  }, [standing, screen]);
  return (
    <p className="unseen" role="status" aria-label="Announcements">
      {message}
    </p>
  );
}
