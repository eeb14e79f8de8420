import { useState } from 'react';
import { Notice } from '../widgets/Notice.tsx';
import { useApp } from '../state/store.ts';
import { trainingElsewhere, useTabs } from './tabs.ts';

/** Announces that another tab trains at the same time as this one. */
export function OtherTabs() {
  const training = useApp((state) => state.runState === 'training');
  const other = useTabs(trainingElsewhere);
  // Dismissed for this run of the other tab.
  const [dismissed, setDismissed] = useState<string>();
  const shown = training && other !== undefined && other.record !== dismissed;
  return (
    <div role="status">
      {shown && (
        <Notice kind="info" title="Another tab is also training" onDismiss={() => setDismissed(other.record)}>
          <p>{other.title}. Both share this device, so each is slower than it would be alone.</p>
        </Notice>
      )}
    </div>
  );
}
