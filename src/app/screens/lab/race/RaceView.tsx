import { useEffect, useRef, useState } from 'react';
import type { ConvChoice, FindRequest } from '../../../../worker/api.ts';
import { hrefOf, note, useRoute, type Route } from '../../../route.ts';
import { KernelReader } from '../kernel/KernelReader.tsx';
import { useLab } from '../lab-store.ts';
import { parametersOf, raceFrom, type RaceText } from '../sizes.ts';
import { Empty } from './Empty.tsx';
import { ProblemForm } from './ProblemForm.tsx';
import { RaceResult } from './RaceResult.tsx';
import styles from './RaceView.module.css';

/** A launch whose WGSL is being read. */
export interface Reading {
  request: FindRequest;
  choice: ConvChoice;
}

/** One problem, all algorithms. */
export function RaceView() {
  useLink();
  const batch = useLab((state) => state.batches.race);
  const [reading, setReading] = useState<Reading>();
  return (
    <div className={styles.view}>
      <ProblemForm />
      <div className={styles.results}>
        {batch ? <RaceResult batch={batch} onRead={setReading} /> : <Empty />}
        {reading && (
          <KernelReader
            key={JSON.stringify(reading)}
            reading={reading}
            onClose={() => setReading(undefined)}
          />
        )}
      </div>
    </div>
  );
}

/** The address says what is typed, and what is typed follows an address that somebody opened. */
function useLink(): void {
  const { screen, view, parameters } = useRoute();
  const race = useLab((state) => state.race);
  const here = screen === 'lab' && (view === 'race' || view === '');
  const seen = useRef<Route['parameters']>(undefined);
  useEffect(() => {
    if (!here) return;
    if (seen.current !== parameters) {
      seen.current = parameters;
      const linked = raceFrom(parameters);
      if (linked && linkTo(linked) !== linkTo(race)) {
        useLab.getState().setRace(linked);
        return;
      }
    }
    note(linkTo(race));
  }, [here, parameters, race]);
}

const linkTo = (race: RaceText): string => hrefOf('lab', 'race', parametersOf(race));
