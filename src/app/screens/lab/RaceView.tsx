import { useEffect, useRef, useState } from 'react';
import type { ConvChoice, FindRequest } from '../../../worker/api.ts';
import { Callout } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { prose } from '../../format.ts';
import { hrefOf, note, useRoute, type Route } from '../../route.ts';
import { editsOf } from './challenge.ts';
import { Chip } from './Chip.tsx';
import styles from './Lab.module.css';
import { useAlgorithms, useLab } from './lab-store.ts';
import { RaceForm } from './RaceForm.tsx';
import { RaceResult } from './RaceResult.tsx';
import { parametersOf, raceFrom, type RaceText } from './sizes.ts';
import { listing } from './verdict.ts';
import { KernelReader } from './wgsl/KernelReader.tsx';

/** A variant whose WGSL is shown. */
export interface ShownVariant {
  request: FindRequest;
  choice: ConvChoice;
}

/** One convolution, all algorithms. */
export function RaceView() {
  useLinkedWgsl();
  useLink();
  const batch = useLab((state) => state.batches.race);
  const [reading, setReading] = useState<ShownVariant>();
  return (
    <div className={styles.race}>
      <RaceForm />
      <div className="column">
        <LinkedWgsl />
        {batch ? (
          <RaceResult batch={batch} isEditing={reading !== undefined} onRead={setReading} />
        ) : (
          <Introduction />
        )}
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

/** Before the first race: the algorithms. */
function Introduction() {
  const algorithms = useAlgorithms();
  return (
    <Panel
      title="Algorithms"
      explanation="Set up a convolution and select Race. Results appear as they are measured."
    >
      <ul className={styles.introduction}>
        {algorithms.map(({ name, summary }) => (
          <li key={name}>
            <Chip algorithm={name} />
            <p className="soft">{prose(summary)}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** A link can bring edited WGSL: it replaces the edits here, and says so. */
function useLinkedWgsl(): void {
  const { parameters } = useRoute();
  const { wgsl } = parameters;
  useEffect(() => {
    if (wgsl === undefined) return;
    const load = async () => {
      const edits = await editsOf(wgsl);
      useLab.setState(edits ? { edits, linkedWgsl: 'loaded' } : { linkedWgsl: 'damaged' });
    };
    void load();
  }, [wgsl]);
}

function LinkedWgsl() {
  const linked = useLab((state) => state.linkedWgsl);
  const edits = useLab((state) => state.edits);
  if (!linked) return null;
  const files = Object.keys(edits).map((name) => `${name}.wgsl`);
  const dismiss = () => useLab.setState({ linkedWgsl: undefined });
  return linked === 'damaged' ? (
    <Callout kind="warning" title="The kernel in this link is damaged" onDismiss={dismiss}>
      <p>The race is set up without it. Ask for the link again.</p>
    </Callout>
  ) : (
    <Callout kind="info" title="Beat this kernel" onDismiss={dismiss}>
      <p>
        This link brings another version of {listing(files)}. Select Race to measure it here beside the
        original; it is verified first.
      </p>
    </Callout>
  );
}

/** Keeps the address and the form in step, both ways. */
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
        useLab.setState({ race: linked });
        return;
      }
    }
    note(linkTo(race));
  }, [here, parameters, race]);
}

const linkTo = (race: RaceText): string => hrefOf('lab', 'race', parametersOf(race));
