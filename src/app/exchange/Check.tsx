import { useState } from 'react';
import { sameShape } from '../../base/shape.ts';
import type { Result } from '../../base/result.ts';
import type { NetworkReport } from '../../worker/api.ts';
import { ask } from '../client.ts';
import * as format from '../format.ts';
import { exchange as texts } from '../messages/en/exchange.tsx';
import { useApp } from '../state/store.ts';
import { Button } from '../widgets/Button.tsx';
import { FailureNotice } from '../widgets/Notice.tsx';
import { Select } from '../widgets/Select.tsx';
import styles from './Exchange.module.css';

type Checked = Result<{ accuracy: number; count: number }>;

/** The accuracy of a network that was read, on a data set that fits it. */
export function Check({ id, model }: Pick<NetworkReport, 'id' | 'model'>) {
  const fitting = useApp(({ datasets }) => datasets).filter(
    ({ shape, classes }) => sameShape(shape, model.input) && classes.length === model.classes,
  );
  const [chosen, setChosen] = useState<string>();
  const [checked, setChecked] = useState<Checked | 'busy'>();
  const [first] = fitting;
  if (!first) return <p className="soft">{texts.import.check.none}</p>;
  const dataset = fitting.find(({ name }) => name === chosen) ?? first;
  const check = async () => {
    setChecked('busy');
    setChecked(await ask((api) => api.exchange.checkNetwork(id, dataset.name)));
  };
  return (
    <div className={styles.options}>
      <Select
        look="beside"
        label={texts.import.check.dataset}
        value={dataset.name}
        options={fitting.map(({ name, title }) => ({ value: name, title }))}
        onChange={(name) => {
          setChosen(name);
          setChecked(undefined);
        }}
      />
      <Button
        obstacle={checked === 'busy' ? texts.import.check.busy : undefined}
        onPress={() => void check()}
      >
        {texts.import.check.start}
      </Button>
      <p role="status">
        {checked !== undefined && checked !== 'busy' && checked.ok
          ? texts.import.check.result(
              format.accuracy(checked.value.accuracy, checked.value.count),
              checked.value.count,
            )
          : ''}
      </p>
      {checked !== undefined && checked !== 'busy' && !checked.ok && (
        <FailureNotice title={texts.import.check.failed} error={checked.error} />
      )}
    </div>
  );
}
