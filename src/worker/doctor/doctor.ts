/** Examines a run for the page. */
import type { Device } from '../../gpu/device.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { Check, CheckResult } from '../../train/doctor/check.ts';
import { examine } from '../../train/doctor/examine.ts';
import { checksInOrder } from '../../train/doctor/registry.ts';
import type { CheckEntry, DoctorEvent, Finding } from '../api.ts';

export const doctorChecks = (): CheckEntry[] =>
  checksInOrder().map(({ name, title, about }: Check) => ({ name, title, about }));

export async function examineRun(
  device: Device,
  config: TrainingConfig,
  weights: StateDict | undefined,
  shouldContinue: () => boolean,
  report: (event: DoctorEvent) => void,
): Promise<Finding[]> {
  const findings = await examine(
    device,
    { ...config, weights },
    {
      shouldContinue,
      onCheck: ({ name }) => report({ type: 'doctor', what: 'checking', check: name }),
      onFinding: (finding) => report({ type: 'doctor', what: 'found', finding: entryOf(finding) }),
    },
  );
  return findings.map(entryOf);
}

const entryOf = ({ check, numbers, ...rest }: CheckResult): Finding => ({
  ...rest,
  name: check,
  numbers: { ...numbers },
});
