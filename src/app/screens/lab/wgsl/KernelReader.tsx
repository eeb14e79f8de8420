import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { KernelText } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Code } from '../../../components/code/Code.tsx';
import { DifferenceView } from '../../../components/code/DifferenceView.tsx';
import { glideTo } from '../../../components/glide.ts';
import { FailureNotice } from '../../../widgets/Notice.tsx';
import { Panel } from '../../../widgets/Panel.tsx';
import { Select } from '../../../widgets/Select.tsx';
import { useAnswer } from '../../../components/use-answer.ts';
import { variantName } from '../../../components/variant-name.ts';
import { isRunning } from '../batch.ts';
import { useObstacle } from '../controls.tsx';
import styles from '../Lab.module.css';
import { useLab } from '../lab-store.ts';
import { startRace } from '../race.ts';
import { Outcome } from '../RaceResult.tsx';
import type { ShownVariant } from '../RaceView.tsx';
import { useWgslErrors } from './use-errors.ts';

/** Fetched when it is first shown: it is as large as the rest of the page. */
const WgslEditor = lazy(() => import('./WgslEditor.tsx'));

const LINKED = 'linked';
const CHANGES = 'changes';

/** The WGSL of one variant: its files, which can be edited and raced, and the linked shader that is compiled. */
export function KernelReader({ reading, onClose }: { reading: ShownVariant; onClose(): void }) {
  const { request, choice } = reading;
  const place = useRef<HTMLDivElement>(null);
  const kernels = useAnswer(JSON.stringify(reading), () =>
    ask((api) => api.lab.kernelTexts(request, choice, {})),
  );
  useEffect(() => glideTo(place.current, 'nearest'), []);
  return (
    <div ref={place} className={styles.reader}>
      <Panel
        title={`Beat this kernel: ${choice.algorithm}`}
        explanation={`“${variantName(choice.launch)}”. Edit the shader and race your version beside the original. It is verified like any other and stays in this tab.`}
        aside={
          <Button icon="close" kind="quiet" onPress={onClose}>
            Close
          </Button>
        }
      >
        {kernels?.ok === false && <FailureNotice title="Could not load this kernel" error={kernels.error} />}
        {kernels?.ok && kernels.value.length > 0 && (
          <>
            <Files kernels={kernels.value} reading={reading} />
            <Outcome />
          </>
        )}
      </Panel>
    </div>
  );
}

interface FilesProps {
  kernels: readonly KernelText[];
  reading: ShownVariant;
}

/** One file at a time, of one kernel. */
function Files({ kernels, reading }: FilesProps) {
  const edits = useLab((state) => state.edits);
  const [kernel, setKernel] = useState(0);
  const [shown, setShown] = useState<string>();
  const original = kernels[kernel];
  const edited = original.files.filter((one) => one.name in edits);
  const wanted = shown ?? original.files[0]?.name ?? LINKED;
  const name = wanted === CHANGES && edited.length === 0 ? LINKED : wanted;
  const file = original.files.find((one) => one.name === name);
  return (
    <>
      <div className={styles.files}>
        {kernels.length > 1 && (
          <Select
            look="above"
            label="Kernel"
            value={String(kernel)}
            options={Object.fromEntries(
              kernels.map(({ shader, dispatches }, i) => [i, `${i + 1}. ${shader} (${dispatches[0]})`]),
            )}
            onChange={(value) => {
              setKernel(Number(value));
              setShown(undefined);
            }}
          />
        )}
        <Select
          look="above"
          label="File"
          value={name}
          options={[
            ...original.files.map((one) => ({
              value: one.name,
              title: `${one.name}.wgsl${one.name in edits ? ' (edited)' : ''}`,
            })),
            edited.length > 0 && { value: CHANGES, title: 'Your changes' },
            { value: LINKED, title: 'As compiled' },
          ]}
          onChange={setShown}
        />
      </div>
      {file && <Editor key={name} name={name} original={file.text} reading={reading} />}
      {name === CHANGES &&
        edited.map((one) => (
          <DifferenceView
            key={one.name}
            before={one.text}
            after={edits[one.name]}
            language="WGSL"
            label={`Changes of ${one.name}.wgsl`}
          />
        ))}
      {name === LINKED && <Linked original={original} kernel={kernel} reading={reading} />}
    </>
  );
}

interface LinkedProps {
  original: KernelText;
  /** Its place among the variant's. */
  kernel: number;
  reading: ShownVariant;
}

/** A kernel as it is compiled, with the edits. */
function Linked({ original, kernel, reading: { request, choice } }: LinkedProps) {
  const edits = useLab((state) => state.edits);
  const linked = useAnswer(JSON.stringify([request, choice, edits]), () =>
    ask((api) => api.lab.kernelTexts(request, choice, { ...edits })),
  );
  const constants = Object.entries(original.constants).map(([name, value]) => `${name} ${String(value)}`);
  const { linked: text } = (linked?.ok && linked.value[kernel]) || original;
  return (
    <>
      <p className={`fine ${styles.constants}`}>
        {original.shader} with its imports and these constants: {constants.join(', ')}
      </p>
      <Code text={text} language="WGSL" label="WGSL as compiled" numbered />
    </>
  );
}

interface EditorProps {
  name: string;
  original: string;
  reading: ShownVariant;
}

function Editor({ name, original, reading }: EditorProps) {
  const text = useLab((state) => state.edits[name] ?? original);
  const edit = useLab((state) => state.edit);
  const obstacle = useObstacle('race');
  const running = useLab(({ batches }) => isRunning(batches.race));
  const sizes = useLab((state) => state.batches.race?.measurements[0]?.request.sizes);
  const { errors, elsewhere, state } = useWgslErrors(reading, name);
  const changed = text !== original;
  return (
    <>
      <Suspense fallback={<Code text={text} language="WGSL" label={`WGSL of ${name}`} numbered />}>
        <WgslEditor
          label={`WGSL of ${name}`}
          text={text}
          errors={errors}
          onChange={(next) => edit(name, next === original ? undefined : next)}
        />
      </Suspense>
      <p
        className={`${errors.length > 0 || elsewhere !== undefined ? 'error' : 'faint'} ${styles.compiled}`}
        role="status"
      >
        {errors.length > 0
          ? `Line ${errors[0].line}: ${errors[0].message}${errors.length > 1 ? `, and ${errors.length - 1} more` : ''}`
          : (elsewhere ?? { checking: 'Compiling…', sound: 'It compiles.', unknown: '\u00a0' }[state])}
      </p>
      <div className="row">
        <Button
          icon="flag"
          kind={changed ? 'primary' : 'plain'}
          obstacle={
            obstacle ?? (running ? 'A race is already running.' : changed ? undefined : 'No changes yet.')
          }
          onPress={() => {
            if (sizes) void startRace(sizes);
          }}
        >
          Race my version
        </Button>
        <Button
          icon="restart"
          obstacle={changed ? undefined : 'No changes to reset.'}
          onPress={() => edit(name, undefined)}
        >
          Reset
        </Button>
        <p className="faint">
          shaders/{name}.wgsl{changed ? ' (edited). Training uses the original.' : '.'} Tab indents; Escape,
          then Tab, leaves the editor.
        </p>
      </div>
    </>
  );
}
