/** The page behind the cards of a run, without its screens and without anything that it keeps. */
import { useEffect } from 'react';
import { listenToRuns } from '../journal/runs-store.ts';
import { load } from '../load.ts';
import { followPace } from '../pace/pace.ts';
import { listenToRun } from '../screens/train/run-events.ts';
import { openLink, takeLink } from '../share/open-link.ts';
import { useApp } from '../state/store.ts';

let started = false;

/** Starts it, once. @param settings of a link; nothing trains before somebody selects Train */
export function usePage(settings: Readonly<Record<string, string>>): void {
  useEffect(() => {
    if (started) return;
    started = true;
    listenToRun();
    listenToRuns();
    followPace();
    if ('v' in settings) {
      const stop = useApp.subscribe((state) => {
        if (state.models.length === 0) return;
        stop();
        void openLink(settings, state).then(takeLink);
      });
    }
    void load();
  }, [settings]);
}
