import type { SettingsErrors } from '../../../state/read-settings.ts';
import { useApp } from '../../../state/store.ts';
import { Field } from './Field.tsx';

/** When a run rests by itself. */
export function Stops({ errors }: { errors: SettingsErrors }) {
  const settings = useApp((state) => state.settings);
  const change = useApp((state) => state.change);
  return (
    <>
      <Field
        label="Rest at a test accuracy of"
        hint="In percent. Empty: the run goes on until you stop it."
        error={errors.stopAccuracy}
        value={settings.stopAccuracy}
        onChange={(stopAccuracy) => change({ stopAccuracy })}
      />
      <Field
        label="Patience"
        hint="Epochs in which the test accuracy may get no better before the run rests. Empty: however many."
        error={errors.patience}
        value={settings.patience}
        onChange={(patience) => change({ patience })}
      />
    </>
  );
}
