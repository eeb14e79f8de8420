import { useRef, useState } from 'react';
import type { ConvChoice, ConvPin, LayerUse } from '../../../../worker/api.ts';
import { Button } from '../../../components/Button.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import { ask, tell } from '../../../client.ts';
import { useApp } from '../../../state/store.ts';
import { isRunning } from '../batch.ts';
import { Downloads } from '../Downloads.tsx';
import form from '../Form.module.css';
import { KernelReader } from '../kernel/KernelReader.tsx';
import { cancel, tune, useLab } from '../lab-store.ts';
import { Method } from '../Method.tsx';
import { useObstacle } from '../obstacle.ts';
import type { Reading } from '../race/RaceView.tsx';
import { download, fileName } from '../report.ts';
import { useCurrentModel, useUses } from '../use-uses.ts';
import { StepTime } from './StepTime.tsx';
import { TuneTable } from './TuneTable.tsx';

const NO_PINS: readonly ConvPin[] = [];

const samePlace = (a: ConvPin, b: Pick<LayerUse, 'layer' | 'direction'>): boolean =>
  a.layer === b.layer && a.direction === b.direction;

/** All convolutions of the current model: what was tried, what won, and what it did to a training step. */
export function TuneView() {
  const current = useCurrentModel();
  const batch = useLab((state) => state.batches.tune);
  const [imported, setImported] = useState(0);
  const uses = useUses(current, `${batch?.job} ${batch?.state} ${imported}`);
  const [reading, setReading] = useState<Reading>();
  const exclude = useLab((state) => state.exclude);
  const setExclude = useLab((state) => state.setExclude);
  const pins = useApp((state) => state.pins[current?.key ?? ''] ?? NO_PINS);
  const setPins = useApp((state) => state.setPins);
  const obstacle = useObstacle('tune');
  const running = isRunning(batch);
  if (!current) return null;

  const begin = (only?: number[]) => {
    const { model, batchSize, optimizer } = current;
    const job = { model, batchSize, optimizer, pins: [...pins], exclude: [...exclude] };
    void tune(only ? { ...job, only } : job);
  };
  const pin = (use: LayerUse, choice: ConvChoice | undefined) => {
    const others = pins.filter((one) => !samePlace(one, use));
    const { layer, direction } = use;
    setPins(current.key, choice ? [...others, { layer, direction, ...choice }] : others);
  };
  const toggleExcluded = ({ algorithm, launch }: ConvChoice) => {
    const others = exclude.filter((one) => one.algorithm !== algorithm || one.launch !== launch);
    setExclude(others.length < exclude.length ? others : [...exclude, { algorithm, launch }]);
  };
  return (
    <>
      <Panel
        title={`${current.title}, batch ${current.batchSize}`}
        explanation="What is found is kept on this machine. A run takes its choices when it begins, and they do not change while it lasts."
      >
        <div className={form.form}>
          <div className={form.row}>
            {running ? (
              <Button icon="stop" onPress={() => void cancel()}>
                Stop
              </Button>
            ) : (
              <Button icon="flag" kind="primary" obstacle={obstacle} onPress={() => begin()}>
                {batch ? 'Tune all again' : 'Tune all'}
              </Button>
            )}
            <KeptFiles onChange={() => setImported(imported + 1)} />
          </div>
          <Progress />
          {batch?.error && (
            <Notice kind="error" title="Tuning ended early">
              <p>
                {batch.error.message} {batch.error.advice}
              </p>
            </Notice>
          )}
          <StepTime step={batch?.trainingStep ?? {}} running={running} />
          <TuneTable
            uses={uses}
            batch={batch}
            pins={pins}
            exclude={exclude}
            again={obstacle ?? (running ? 'Measuring already.' : undefined)}
            onAgain={(index) => begin([index])}
            onPin={pin}
            onExclude={toggleExcluded}
            onRead={setReading}
          />
          <Excluded exclude={exclude} onInclude={toggleExcluded} />
        </div>
        {batch && (
          <>
            <Method batch={batch} />
            <Downloads
              kind="autotune"
              batch={batch}
              title={`Autotune of ${current.title}, batch ${current.batchSize}`}
            />
          </>
        )}
      </Panel>
      {reading && (
        <KernelReader key={JSON.stringify(reading)} reading={reading} onClose={() => setReading(undefined)} />
      )}
    </>
  );
}

function Progress() {
  const batch = useLab((state) => state.batches.tune);
  const { before, after } = batch?.trainingStep ?? {};
  const done =
    batch?.measurements.filter(({ state }) => state === 'found' || state === 'refused').length ?? 0;
  const text = ((): string => {
    if (!batch)
      return 'For each layer and direction every launch is checked, then timed; the fastest is kept.';
    if (batch.state === 'cancelled') return `Stopped. What was found until then is kept.`;
    if (batch.state === 'done') return 'Done. The next run uses what was found.';
    if (!isRunning(batch)) return '';
    if (!before) return 'Timing a training step as it is without tuning…';
    if (done === batch.measurements.length && !after) return 'Timing a training step with what was found…';
    return `Measuring: ${done} of ${batch.measurements.length} are done.`;
  })();
  return (
    <p className={form.note} role="status">
      {text}
    </p>
  );
}

/** Launches that tuning leaves out, each to be taken back in. */
function Excluded({
  exclude,
  onInclude,
}: {
  exclude: readonly ConvChoice[];
  onInclude(choice: ConvChoice): void;
}) {
  if (exclude.length === 0) return null;
  return (
    <div className={form.row}>
      <p className={form.note}>Left out when tuned again:</p>
      {exclude.map((choice) => (
        <Button
          key={`${choice.algorithm} ${choice.launch}`}
          icon="close"
          title="Take it back in"
          onPress={() => onInclude(choice)}
        >
          {`${choice.algorithm}, ${choice.launch}`}
        </Button>
      ))}
    </div>
  );
}

/** The store of what was found, as a file. */
function KeptFiles({ onChange }: { onChange(): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState<{ text: string; wrong?: boolean }>();
  const take = async (file: File | undefined) => {
    if (!file) return;
    const text = await file.text();
    const answer = await ask((api) => api.importFound(file.name, text));
    if (answer.ok) {
      setSaid({ text: `${answer.value} ${answer.value === 1 ? 'entry' : 'entries'} taken in.` });
      onChange();
    } else {
      setSaid({ text: answer.error.message, wrong: true });
    }
  };
  const hand = async () => {
    const text = await tell((api) => api.exportFound());
    if (text !== undefined) download(`${fileName('find-db', new Date())}.json`, 'application/json', text);
  };
  const forget = async () => {
    const answer = await ask((api) => api.forgetFound());
    setSaid(answer.ok ? { text: 'Forgotten.' } : { text: answer.error.message, wrong: true });
    onChange();
  };
  return (
    <>
      <Button
        icon="download"
        title="All that was ever found on this machine, as JSON"
        onPress={() => void hand()}
      >
        Export what was found
      </Button>
      <Button icon="upload" onPress={() => input.current?.click()}>
        Import
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="File of what was found"
        hidden
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <Button
        kind="quiet"
        title="Forgets what was found on this adapter; runs then use what is predicted"
        onPress={() => void forget()}
      >
        Forget
      </Button>
      {said && (
        <p
          className={form.summary}
          data-wrong={said.wrong || undefined}
          role="status"
          style={{ minHeight: 0 }}
        >
          {said.text}
        </p>
      )}
    </>
  );
}
