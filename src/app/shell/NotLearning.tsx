import type { Rescue } from '../../worker/api.ts';
import { obstacleToDevice } from '../actions/start.ts';
import * as format from '../format.ts';
import { rescue as texts } from '../messages/en/rescue.tsx';
import { tryRates } from '../rescue.ts';
import { hrefOf } from '../route.ts';
import { useApp } from '../state/store.ts';
import { Button } from '../widgets/Button.tsx';
import { DataTable } from '../widgets/DataTable.tsx';
import { Notice } from '../widgets/Notice.tsx';
import { Explain } from '../widgets/Popover.tsx';

/** The way out for a run that does not learn; its result is in `NotLearning`. */
export function TryRates() {
  const trying = useApp((state) => state.rescue === 'trying');
  const obstacle = useApp(obstacleToDevice);
  return (
    <span className="beside">
      <Button
        icon="retry"
        kind="primary"
        obstacle={trying ? texts.trying : obstacle}
        onPress={() => void tryRates()}
      >
        {trying ? texts.trying : texts.offer}
      </Button>
      <Explain of={texts.offer}>{texts.about}</Explain>
    </span>
  );
}

/** Says that a run does not learn and offers to try other learning rates; afterwards, what became of them. */
export function NotLearning() {
  const trouble = useApp((state) => state.trouble);
  const rescue = useApp((state) => state.rescue);
  const tried = rescue === 'trying' ? undefined : rescue;
  // A run that was rescued may get into trouble again.
  if (tried && (!tried.config || !trouble)) return <Tried rescue={tried} />;
  if (!trouble) return null;
  const { loss, guessing, steps } = trouble;
  return (
    <Notice kind="warning" title={texts.title} about={trouble} actions={<TryRates />}>
      <p>{texts.found(format.loss(loss), format.loss(guessing), steps)}</p>
    </Notice>
  );
}

/** What each rate did to the loss, and what follows. */
function Tried({ rescue: { from, steps, before, tries, config } }: { rescue: Rescue }) {
  const verdictOf = ({ lr, loss, helps }: (typeof tries)[number]) => {
    if (lr === config?.lr) return texts.verdicts.best;
    if (!Number.isFinite(loss)) return texts.verdicts.bad;
    return helps ? texts.verdicts.helps : texts.verdicts.not;
  };
  const rows = [
    ...tries.map((one) => ({ rate: String(one.lr), loss: one.loss, verdict: verdictOf(one) })),
    { rate: texts.still, loss: before, verdict: '' },
  ];
  return (
    <Notice
      kind={config ? 'info' : 'warning'}
      title={config ? texts.works(config.lr) : texts.none}
      onDismiss={() => useApp.setState({ rescue: undefined })}
    >
      <p>{config ? texts.continues(from) : texts.elsewhere(hrefOf('doctor'))}</p>
      <DataTable
        caption={texts.tried(steps)}
        rows={rows}
        keyOf={({ rate }) => rate}
        columns={[
          { title: texts.rate, number: true, render: ({ rate }) => rate },
          { title: texts.loss(steps), number: true, render: ({ loss }) => format.loss(loss) },
          { title: texts.verdict, render: ({ verdict }) => verdict },
        ]}
      />
    </Notice>
  );
}
