import { useState } from 'react';
import type { StudyInfo } from '../../../worker/api.ts';
import { ask } from '../../client.ts';
import { Code } from '../../components/code/Code.tsx';
import { FailureNotice } from '../../widgets/Notice.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { Select } from '../../widgets/Select.tsx';
import { useAnswer } from '../../components/use-answer.ts';
import { useApp } from '../../state/store.ts';

/** The code that a study compares: what is shown is what runs. */
export function SourcePanel({ study: { name } }: { study: StudyInfo }) {
  const [open, setOpen] = useState(false);
  const ready = useApp((state) => state.device === 'ready');
  const answer = useAnswer(open && ready ? name : undefined, () => ask((api) => api.studySources(name)));
  const [wanted, choose] = useState<string>();
  const sources = answer?.ok ? answer.value : [];
  const shown = sources.find((one) => one.name === wanted) ?? sources[0];
  return (
    <Panel title="The sources" explanation="The code that is compared, as it runs here.">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="soft">Read and compare</summary>
        <div className="stack">
          {answer?.ok === false && <FailureNotice title="Could not load the sources" error={answer.error} />}
          {shown && (
            <>
              <Select
                look="beside"
                label="Source of"
                value={shown.name}
                options={sources.map(({ name: title }) => ({ value: title, title }))}
                onChange={choose}
              />
              <p className="soft">{shown.explanation}</p>
              <Code text={shown.text} language={shown.language} label={`${shown.name}: source`} />
            </>
          )}
        </div>
      </details>
    </Panel>
  );
}
