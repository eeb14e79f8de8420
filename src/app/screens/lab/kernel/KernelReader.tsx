import { useEffect, useRef, useState } from 'react';
import { ask } from '../../../client.ts';
import { Button } from '../../../components/Button.tsx';
import { Choice } from '../../../components/Choice.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { glideTo } from '../../../components/glide.ts';
import { Panel } from '../../../components/Panel.tsx';
import { Select } from '../Field.tsx';
import { useLab } from '../lab-store.ts';
import { useAnswer } from '../../../components/use-answer.ts';
import { useObstacle } from '../obstacle.ts';
import { startRace } from '../race/start.ts';
import type { Reading } from '../race/RaceView.tsx';
import { Code } from './Code.tsx';
import styles from './KernelReader.module.css';

const LINKED = 'linked';

/** The WGSL of one launch: its files, which can be changed on trial, and what the compiler gets. */
export function KernelReader({ reading, onClose }: { reading: Reading; onClose(): void }) {
  const { request, choice } = reading;
  const edits = useLab((state) => state.edits);
  const [kernel, setKernel] = useState(0);
  const [shown, setShown] = useState<string>();
  const place = useRef<HTMLDivElement>(null);
  const key = JSON.stringify(reading);
  const first = useAnswer(key, () => ask((api) => api.kernelTexts(request, choice, {})));
  const linked = useAnswer(`${key} ${JSON.stringify(edits)}`, () =>
    ask((api) => api.kernelTexts(request, choice, { ...edits })),
  );
  const originals = first?.ok ? first.value : undefined;
  const current = linked?.ok ? linked.value : undefined;
  const error = first?.ok === false ? first.error : undefined;
  useEffect(() => glideTo(place.current, 'nearest'), []);

  const original = originals?.[kernel];
  const name = shown ?? original?.files[0]?.name ?? LINKED;
  const file = original?.files.find((one) => one.name === name);
  return (
    <div ref={place} className={styles.place}>
      <Panel
        title={`WGSL of ${choice.algorithm}, “${choice.launch}”`}
        explanation="Read it, change it, and race your version: it is checked like every other, and lives only in this page."
        aside={
          <Button icon="close" kind="quiet" onPress={onClose}>
            Close
          </Button>
        }
      >
        {error && (
          <Notice kind="error" title="This kernel cannot be shown">
            <p>{error.message}</p>
          </Notice>
        )}
        {originals && original && (
          <>
            <div className={styles.bar}>
              {originals.length > 1 && (
                <Select
                  label="Kernel"
                  value={String(kernel)}
                  options={originals.map(({ shader, dispatches }, i) => ({
                    value: String(i),
                    label: `${i + 1}. ${shader}.wgsl (${dispatches[0]})`,
                  }))}
                  onChange={(value) => {
                    setKernel(Number(value));
                    setShown(undefined);
                  }}
                />
              )}
              <Choice
                label="File"
                name="kernel-file"
                value={name}
                options={[
                  ...original.files.map((one) => ({
                    value: one.name,
                    label: `${one.name}.wgsl${one.name in edits ? ' (yours)' : ''}`,
                  })),
                  { value: LINKED, label: 'As compiled' },
                ]}
                onChange={setShown}
              />
            </div>
            {file ? (
              <Editor key={name} name={name} original={file.text} />
            ) : (
              <>
                <p className={styles.constants}>
                  {original.shader} with its imports and these constants:{' '}
                  {Object.entries(original.constants)
                    .map(([constant, value]) => `${constant} ${String(value)}`)
                    .join(', ')}
                </p>
                <Code text={(current?.[kernel] ?? original).linked} label="WGSL as compiled" />
              </>
            )}
          </>
        )}
      </Panel>
    </div>
  );
}

function Editor({ name, original }: { name: string; original: string }) {
  const text = useLab((state) => state.edits[name] ?? original);
  const edit = useLab((state) => state.edit);
  const obstacle = useObstacle('race');
  const running = useLab(({ batches: { race } }) => race?.state === 'measuring' || race?.state === 'waiting');
  const sizes = useLab((state) => state.batches.race?.measurements[0]?.request.sizes);
  const changed = text !== original;
  return (
    <>
      <textarea
        className={styles.editor}
        aria-label={`WGSL of ${name}`}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        rows={Math.min(32, Math.max(12, text.split('\n').length + 1))}
        value={text}
        onChange={(event) => {
          const next = event.target.value;
          edit(name, next === original ? undefined : next);
        }}
      />
      <div className={styles.actions}>
        <Button
          icon="flag"
          kind={changed ? 'primary' : 'plain'}
          obstacle={
            obstacle ??
            (running ? 'The race is on already.' : changed ? undefined : 'Change something first.')
          }
          onPress={() => {
            if (!sizes) return;
            void startRace(sizes);
            glideTo(document.querySelector('main h2'));
          }}
        >
          Race my version
        </Button>
        <Button
          icon="restart"
          obstacle={changed ? undefined : 'This is our version.'}
          onPress={() => edit(name, undefined)}
        >
          Reset
        </Button>
        <p>
          shaders/{name}.wgsl{changed ? ', changed by you. Training never uses it.' : ''}
        </p>
      </div>
    </>
  );
}
