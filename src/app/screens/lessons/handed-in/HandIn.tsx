import { useState } from 'react';
import type { FailureValue } from '../../../../base/result.ts';
import { download } from '../../../download.ts';
import { handIn } from '../../../lessons/hand-in.ts';
import type { OpenedLesson } from '../../../lessons/library.ts';
import { handingIn } from '../../../messages/handing-in.ts';
import { recall, remember } from '../../../state/remember.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Labelled } from '../../../widgets/Labelled.tsx';
import { FailureNotice } from '../../../widgets/Notice.tsx';
import { Panel } from '../../../widgets/Panel.tsx';

const texts = handingIn.pupil;
const NAME = 'pupil';

/** The name of a file: letters and digits of these parts. */
const fileNameOf = (...parts: string[]): string =>
  `${parts
    .map((part) => part.replaceAll(/[^\p{L}\d]+/gu, '-').replaceAll(/^-|-$/g, ''))
    .filter(Boolean)
    .join('-')}.json`;

/** Saves a finished lesson as a file for the teacher. */
export function HandIn({ opened }: { opened: OpenedLesson }) {
  const [name, setName] = useState(recall(NAME) ?? '');
  const [saved, setSaved] = useState<{ file: string; code: string }>();
  const [error, setError] = useState<FailureValue>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setSaved(undefined);
    setError(undefined);
    const made = await handIn(opened, name.trim());
    setBusy(false);
    if (!made.ok) return setError(made.error);
    const { text, code } = made.value;
    const file = fileNameOf('wgrad', opened.id, name, code);
    download(file, 'application/json', text);
    setSaved({ file, code });
  };
  return (
    <Panel title={texts.title} explanation={texts.about}>
      <div className="stack">
        <Labelled label={texts.name} look="above">
          {(described) => (
            <input
              {...described}
              type="text"
              maxLength={80}
              autoComplete="name"
              value={name}
              onChange={({ target }) => {
                setName(target.value);
                remember(NAME, target.value);
              }}
            />
          )}
        </Labelled>
        <div className="row">
          <Button
            kind="primary"
            icon="download"
            obstacle={isBusy ? texts.saving : undefined}
            onPress={() => void save()}
          >
            {texts.save}
          </Button>
        </div>
        <p role="status" className="soft">
          {isBusy ? texts.saving : saved ? texts.saved(saved.file, saved.code) : ''}
        </p>
        {error && <FailureNotice title={texts.failed} error={error} onDismiss={() => setError(undefined)} />}
      </div>
    </Panel>
  );
}
