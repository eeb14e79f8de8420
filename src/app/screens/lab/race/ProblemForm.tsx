import { useId } from 'react';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { useApp } from '../../../state/store.ts';
import { isRunning } from '../batch.ts';
import { Captioned, Field } from '../Field.tsx';
import form from '../Form.module.css';
import { Chip } from '../Chip.tsx';
import { cancel, useAlgorithms, useLab } from '../lab-store.ts';
import { useObstacle } from '../obstacle.ts';
import { DIRECTIONS, MEANING } from '../sizes.ts';
import { LETTERS, PAIRS, type SizesText } from '../../../share/conv-sizes.ts';
import { useProblem, type CheckedProblem } from '../use-problem.ts';
import { ProblemPicker } from './ProblemPicker.tsx';
import { startRace, workspaceOf } from './start.ts';

/** What is to be raced: typed, or filled in from a layer that people know. */
export function ProblemForm() {
  const race = useLab((state) => state.race);
  const setRace = useLab((state) => state.setRace);
  const problem = useProblem(race.sizes);
  const wrong = problem.state === 'wrong' ? problem.fields : new Set<string>();
  const direction = DIRECTIONS.find(({ value }) => value === race.direction);
  const workspaceWrong = workspaceOf(race) === undefined;
  const input = (name: keyof SizesText) => (
    <Field key={name} label={name} title={MEANING[name]}>
      {(id) => (
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          spellCheck={false}
          value={race.sizes[name]}
          aria-invalid={wrong.has(name)}
          onChange={(event) => setRace({ ...race, sizes: { ...race.sizes, [name]: event.target.value } })}
        />
      )}
    </Field>
  );
  return (
    <Panel title="Problem" explanation="N images of C × H × W, K filters of R × S.">
      <div className={form.form}>
        <ProblemPicker problem={problem} />
        <div className={form.letters}>
          {LETTERS.map(input)}
          {input('groups')}
        </div>
        <div className={form.letters} style={{ gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' }}>
          {PAIRS.map(input)}
        </div>
        <Summary problem={problem} />
        <Captioned caption="Direction">
          <Choice
            label="Direction"
            name="lab-direction"
            value={race.direction}
            options={DIRECTIONS}
            onChange={(value) => setRace({ ...race, direction: value })}
          />
          <p className={form.note}>{direction?.meaning}</p>
        </Captioned>
        <div className={form.row}>
          <Captioned caption="Numbers">
            <Choice
              label="Numbers"
              name="lab-numbers"
              value={race.numbers}
              options={[
                { value: 'f32', label: 'float32' },
                { value: 'f16', label: 'float16' },
                { value: 'both', label: 'Both' },
              ]}
              onChange={(value) => setRace({ ...race, numbers: value })}
            />
          </Captioned>
          <div style={{ width: '7rem' }}>
            <Field
              label="Workspace, MiB"
              title="Memory that an algorithm may use beyond its input and output: 0 to 4096"
            >
              {(id) => (
                <input
                  id={id}
                  type="text"
                  inputMode="decimal"
                  autoComplete="off"
                  value={race.workspace}
                  aria-invalid={workspaceWrong}
                  onChange={(event) => setRace({ ...race, workspace: event.target.value })}
                />
              )}
            </Field>
          </div>
        </div>
        <Participants />
        <Start problem={problem} workspaceWrong={workspaceWrong} />
      </div>
    </Panel>
  );
}

/** Who takes part: all, or some. */
function Participants() {
  const algorithms = useAlgorithms();
  const race = useLab((state) => state.race);
  const setRace = useLab((state) => state.setRace);
  const chosen = algorithms.filter(({ name }) => race.algorithms.includes(name));
  const toggle = (name: string) => {
    const others = race.algorithms.filter((one) => one !== name);
    setRace({ ...race, algorithms: others.length < race.algorithms.length ? others : [...others, name] });
  };
  return (
    <details className={form.more}>
      <summary>
        {chosen.length === 0
          ? 'All algorithms take part'
          : `${chosen.length} of ${algorithms.length} take part`}
      </summary>
      <fieldset>
        <legend className={form.note}>Only these, or none marked for all:</legend>
        {algorithms.map(({ name, summary }) => (
          <label key={name} title={summary}>
            <input type="checkbox" checked={race.algorithms.includes(name)} onChange={() => toggle(name)} />
            <Chip algorithm={name} />
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** The output's size and the work, or what does not fit. */
function Summary({ problem }: { problem: CheckedProblem }) {
  const id = useId();
  if (problem.state === 'wrong') {
    return (
      <p id={id} className={form.summary} data-wrong role="status">
        {problem.error.message.replace(/^convolution: /, '')}
      </p>
    );
  }
  if (problem.state === 'checking') return <p className={form.summary}> </p>;
  const { N, K, P, Q } = problem.summary.problem;
  return (
    <p id={id} className={form.summary} role="status">
      y is {format.shape([N, K, P, Q])} (N × K × P × Q); {format.flops(problem.summary.flops)} by the direct
      method.
    </p>
  );
}

function Start({ problem, workspaceWrong }: { problem: CheckedProblem; workspaceWrong: boolean }) {
  const running = useLab((state) => isRunning(state.batches.race));
  const busy = useObstacle('race');
  const edited = Object.keys(useLab((state) => state.edits));
  const noHalf = useApp((state) => state.adapter?.features.includes('shader-f16') === false);
  const numbers = useLab((state) => state.race.numbers);
  const obstacle =
    busy ??
    (problem.state === 'wrong' ? 'The sizes do not fit: see above.' : undefined) ??
    (workspaceWrong ? 'The workspace is a number of MiB from 0 to 4096.' : undefined);
  return (
    <>
      <div className={form.buttons}>
        {running ? (
          <Button icon="stop" onPress={() => void cancel()}>
            Stop
          </Button>
        ) : (
          <Button
            icon="flag"
            kind="primary"
            obstacle={obstacle}
            onPress={() => {
              if (problem.state !== 'wrong') void startRace(problem.sizes);
            }}
          >
            {edited.length > 0 ? 'Race with my version' : 'Race'}
          </Button>
        )}
      </div>
      {busy !== undefined && <p className={form.note}>{busy}</p>}
      {edited.length > 0 && (
        <p className={form.note}>On trial: {edited.map((name) => `${name}.wgsl`).join(', ')}</p>
      )}
      {noHalf && numbers !== 'f32' && (
        <p className={form.note}>This GPU does not offer 16-bit numbers to shaders; the race will say so.</p>
      )}
    </>
  );
}
