import { useState } from 'react';
import type { FailureValue } from '../../../../base/result.ts';
import { ask } from '../../../client.ts';
import { download } from '../../../download.ts';
import type { OpenedLesson } from '../library.ts';
import { progressOf } from '../player/progress.ts';
import { lessons } from '../../../messages/lessons.ts';
import { recall, remember } from '../../../state/remember.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Labelled } from '../../../widgets/Labelled.tsx';
import { FailureNotice } from '../../../widgets/Notice.tsx';
import { Panel } from '../../../widgets/Panel.tsx';

const texts = lessons.submissions.pupil;
const NAME = 'pupil';

/** The name of a file: letters and digits of these parts. */
const fileNameOf = (...parts: string[]): string =>
  `${parts
    .map((part) => part.replaceAll(/[^\p{L}\d]+/gu, '-').replaceAll(/^-|-$/g, ''))
    .filter(Boolean)
    .join('-')}.json`;

/** Saves a finished lesson as a file for the teacher. */
export function SaveSubmission({ opened: { id, lesson } }: { opened: OpenedLesson }) {
  const [name, setName] = useState(recall(NAME) ?? '');
  const [saved, setSaved] = useState<string>();
  const [error, setError] = useState<FailureValue>();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    setSaved(undefined);
    setError(undefined);
    const made = await ask((api) =>
      api.submission.writeSubmission({ id, lesson, progress: progressOf(id), name: name.trim() }),
    );
    setBusy(false);
    if (!made.ok) return setError(made.error);
    const file = fileNameOf('wgrad', id, name);
    download(file, 'application/json', made.value);
    setSaved(file);
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
          {isBusy ? texts.saving : saved ? texts.saved(saved) : ''}
        </p>
        {error && <FailureNotice title={texts.failed} error={error} onDismiss={() => setError(undefined)} />}
      </div>
    </Panel>
  );
}
