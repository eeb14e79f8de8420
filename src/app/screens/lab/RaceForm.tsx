import { useMemo, useState, type ComponentProps } from 'react';
import type { ConvSizes } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { Labelled } from '../../widgets/Labelled.tsx';
import { inRange } from '../../widgets/number-rule.ts';
import { NumberControl, NumberField } from '../../widgets/NumberField.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import * as format from '../../format.ts';
import { LETTERS, PAIRS, textOf, type SizesText } from '../../share/conv-sizes.ts';
import { useApp } from '../../state/store.ts';
import { Chip } from './Chip.tsx';
import { CaptionedChoice, DirectionChoice, MeasureButton, useObstacle } from './controls.tsx';
import { useCurrentModel, useUses } from './current-model.ts';
import styles from './Lab.module.css';
import { useEstimate } from './estimate.ts';
import { changeRace, useAlgorithms, useLab } from './lab-store.ts';
import { startRace } from './race.ts';
import {
  checkSizes,
  invalid,
  LIMITS,
  MEANING,
  MEANING_OF_DIRECTION,
  MEBIBYTE,
  raceError,
  readSizes,
  sameSizes,
  usualWorkspace,
  withCpu,
  type CheckedProblem,
} from './sizes.ts';

const COUNT = inRange({ whole: true, least: 1, most: 999_999_999 });

/** The convolution to race: typed, or chosen from the layers of a network. */
export function RaceForm() {
  const race = useLab((state) => state.race);
  const adapter = useApp((state) => state.adapter);
  // What is wrong with the numbers that are typed, by field.
  const [wrong, setWrong] = useState<Readonly<Record<string, string | undefined>>>({});
  const mark = (field: string) => (what: string | undefined) =>
    setWrong((before) => ({ ...before, [field]: what }));
  const checked = useProblem(race.sizes);
  const letter = [...LETTERS, 'groups' as const].find((name) => wrong[name] !== undefined);
  const problem = letter ? invalid(letter, wrong[letter] ?? '') : checked;
  return (
    <Panel title="Problem" explanation="N images of C × H × W, K filters of R × S.">
      <div className="stack">
        <ProblemPicker problem={problem} />
        <Sizes problem={problem} mark={mark} />
        <Summary problem={problem} />
        <div>
          <DirectionChoice value={race.direction} onChange={(direction) => changeRace({ direction })} />
          <p className="fine">{MEANING_OF_DIRECTION[race.direction]}</p>
        </div>
        <div className={styles.fields}>
          <FormatChoices />
          <LimitField
            name="workspace"
            mark={mark}
            label="Workspace, MiB"
            title={`Scratch memory limit per algorithm, ${LIMITS.workspace.expected}; empty: the limit in training`}
            placeholder={String(usualWorkspace(adapter) / MEBIBYTE)}
          />
        </div>
        <div className={styles.fields}>
          <LimitField
            name="threads"
            mark={mark}
            label="Workgroup size"
            title={`Threads per workgroup of im2col’s own kernels, ${LIMITS.threads.expected}; empty: 64`}
            placeholder="64"
          />
          <LimitField
            name="workgroups"
            mark={mark}
            label="Workgroups"
            title="Workgroups of im2col’s own kernels, which share the work; empty: as many as it needs"
            placeholder="all"
          />
        </div>
        <p className="fine">For im2col_gemm, whose own kernels work in any.</p>
        <Algorithms />
        <CpuToo />
        <Start problem={problem} wrong={Object.values(wrong).find((one) => one !== undefined)} />
      </div>
    </Panel>
  );
}

interface FieldProps {
  /** Takes what is wrong with the number in a field. */
  mark(field: string): (what: string | undefined) => void;
}

interface LimitFieldProps
  extends FieldProps, Pick<ComponentProps<typeof NumberField>, 'label' | 'title' | 'placeholder'> {
  name: keyof typeof LIMITS;
}

function LimitField({ name, mark, ...texts }: LimitFieldProps) {
  const value = useLab((state) => state.race[name]);
  return (
    <div className={styles.workspace}>
      <NumberField
        look="above"
        {...texts}
        value={value}
        rule={LIMITS[name]}
        onChange={(next) => changeRace({ [name]: next })}
        onError={mark(name)}
      />
    </div>
  );
}

/** The letters of a convolution, and its pairs. */
function Sizes({ problem, mark }: FieldProps & { problem: CheckedProblem }) {
  const { sizes } = useLab((state) => state.race);
  const change = (name: keyof SizesText) => (value: string) =>
    changeRace({ sizes: { ...sizes, [name]: value } });
  return (
    <>
      <div className={styles.letters}>
        {[...LETTERS, 'groups' as const].map((name) => (
          <Labelled key={name} look="above" label={name} hint={MEANING[name]}>
            {(described) => (
              <NumberControl
                {...described}
                value={sizes[name]}
                rule={COUNT}
                onChange={change(name)}
                onError={mark(name)}
              />
            )}
          </Labelled>
        ))}
      </div>
      <div className={styles.pairs}>
        {PAIRS.map((name) => (
          <Labelled key={name} look="above" label={name} title={MEANING[name]}>
            {(described) => (
              <input
                {...described}
                type="text"
                inputMode={name === 'padding' ? 'text' : 'decimal'}
                autoComplete="off"
                spellCheck={false}
                value={sizes[name]}
                aria-invalid={(problem.state === 'invalid' && problem.fields.has(name)) || undefined}
                onChange={({ target: { value } }) => change(name)(value)}
              />
            )}
          </Labelled>
        ))}
      </div>
      <p className="fine">One number for both directions, or height × width: 2x1.</p>
    </>
  );
}

/** How its tensors are stored. */
function FormatChoices() {
  const { sizes, numbers } = useLab((state) => state.race);
  return (
    <>
      <CaptionedChoice
        label="Layout"
        value={sizes.layout === 'nhwc' ? 'nhwc' : 'nchw'}
        options={{ nchw: 'NCHW', nhwc: 'NHWC' }}
        onChange={(layout) => changeRace({ sizes: { ...sizes, layout } })}
      />
      <CaptionedChoice
        label="Precision"
        value={numbers}
        options={{ f32: 'float32', f16: 'float16', both: 'Both' }}
        onChange={(next) => changeRace({ numbers: next })}
      />
    </>
  );
}

/** Checks the sizes: that they are numbers here, that they fit together in the worker. */
function useProblem(text: SizesText): CheckedProblem {
  const read = readSizes(text);
  const sizes = 'sizes' in read ? read.sizes : undefined;
  const answer = useAnswer(sizes && JSON.stringify(sizes), () =>
    ask((api) => api.lab.checkProblem(sizes as ConvSizes)),
  );
  return checkSizes(text, answer);
}

interface Group {
  title: string;
  layers: readonly { name: string; sizes: ConvSizes }[];
}

/** Fills in the sizes of a layer, of the current model or of a well-known network. */
function ProblemPicker({ problem }: { problem: CheckedProblem }) {
  const suites = useLab((state) => state.catalogue?.suites);
  const { layout } = useLab((state) => state.race.sizes);
  const current = useCurrentModel();
  const uses = useUses(current);
  const title = current && `${current.title} (current model)`;
  const groups = useMemo((): Group[] => {
    const layers = uses.filter(({ direction }) => direction === 'fprop');
    const own = layers.map(({ layer, sizes }) => ({ name: layer, sizes }));
    return [...(title ? [{ title, layers: own }] : []), ...(suites ?? [])];
  }, [uses, suites, title]);
  const options = groups.flatMap((group, i) =>
    group.layers.map(({ name, sizes }, j) => ({
      value: `${i}.${j}`,
      title: name,
      group: group.title,
      sizes,
    })),
  );
  const chosen =
    problem.state === 'invalid'
      ? undefined
      : options.find(({ sizes }) => sameSizes({ ...sizes, layout: problem.sizes.layout }, problem.sizes));
  return (
    <Select
      look="above"
      label="Preset"
      value={chosen?.value ?? ''}
      options={[{ value: '', title: 'Custom', disabled: chosen !== undefined }, ...options]}
      onChange={(value) => {
        const option = options.find((one) => one.value === value);
        if (option) changeRace({ sizes: { ...textOf(option.sizes), layout } });
      }}
    />
  );
}

/** The output's size and the work, or what is invalid. */
function Summary({ problem }: { problem: CheckedProblem }) {
  if (problem.state === 'checking') return <p className={styles.summary}> </p>;
  if (problem.state === 'invalid') {
    return (
      <p className={`soft error ${styles.summary}`} role="status">
        {problem.error.message.replace(/^convolution: /, '')}
      </p>
    );
  }
  const { N, K, P, Q } = problem.summary.problem;
  return (
    <p className={`soft ${styles.summary}`} role="status">
      {format.prose(
        `Output: ${format.shape([N, K, P, Q])} (N × K × P × Q); ${format.flops(problem.summary.flops)} by direct convolution.`,
      )}
    </p>
  );
}

function Algorithms() {
  const algorithms = useAlgorithms();
  const race = useLab((state) => state.race);
  const chosen = algorithms.filter(({ name }) => race.algorithms.includes(name));
  const toggle = (name: string) => {
    const others = race.algorithms.filter((one) => one !== name);
    changeRace({ algorithms: others.length < race.algorithms.length ? others : [...others, name] });
  };
  return (
    <details className={`soft ${styles.algorithms}`}>
      <summary>
        {chosen.length === 0 ? 'All algorithms' : `${chosen.length} of ${algorithms.length} algorithms`}
      </summary>
      <fieldset>
        <legend className="fine">Select algorithms (none selected means all):</legend>
        {algorithms.map(({ name, summary }) => (
          <label key={name} className="beside" title={format.prose(summary)}>
            <input type="checkbox" checked={race.algorithms.includes(name)} onChange={() => toggle(name)} />
            <Chip algorithm={name} />
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** Whether the CPU engine is timed too; not where it computes anyway. */
function CpuToo() {
  const race = useLab((state) => state.race);
  const adapter = useApp((state) => state.adapter);
  if (!adapter || adapter.cpu) return null;
  return (
    <label className="beside" title="Time the CPU engine too, after the GPU, in float32">
      <input
        type="checkbox"
        checked={withCpu(race, adapter)}
        disabled={race.numbers === 'f16'}
        onChange={({ target }) => changeRace({ cpu: target.checked ? 'yes' : 'no' })}
      />
      Time the CPU too
    </label>
  );
}

interface StartProps {
  problem: CheckedProblem;
  /** What is wrong with a number that is typed. */
  wrong: string | undefined;
}

function Start({ problem, wrong }: StartProps) {
  const busy = useObstacle('race');
  const race = useLab((state) => state.race);
  const edited = Object.keys(useLab((state) => state.edits));
  const estimate = useEstimate('race', race.numbers === 'both' ? 2 : 1);
  const noHalf = useApp((state) => state.adapter?.features.includes('shader-f16') === false);
  return (
    <div className={styles.start}>
      <div className="row">
        <MeasureButton
          view="race"
          obstacle={raceError(race, problem) ?? wrong}
          onPress={() => {
            if (problem.state !== 'invalid') void startRace(problem.sizes);
          }}
        />
        <p className="fine">It takes {estimate} here, and longer while other work keeps the device busy.</p>
      </div>
      {busy !== undefined && <p className="fine">{busy}</p>}
      {edited.length > 0 && (
        <p className="fine">
          Your version of {edited.map((name) => `${name}.wgsl`).join(', ')} races beside the original.
        </p>
      )}
      {noHalf && race.numbers !== 'f32' && (
        <p className="fine">This device does not support float16 in shaders (shader-f16).</p>
      )}
    </div>
  );
}
