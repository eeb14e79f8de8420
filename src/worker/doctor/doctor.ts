/** Examines a run for the page. */
import type { Device } from '../../gpu/device.ts';
import type { StateDict } from '../../engine/parameters.ts';
import type { TrainingConfig } from '../../train/config.ts';
import type { Check, CheckResult } from '../../train/doctor/check.ts';
import { examine } from '../../train/doctor/examine.ts';
import { recommend, standsBeside } from '../../train/doctor/recommend.ts';
import { checksInOrder } from '../../train/doctor/registry.ts';
import type { CheckEntry, DoctorEvent, Examination, Finding } from '../api.ts';

export const doctorChecks = (): CheckEntry[] =>
  checksInOrder().map(({ name, title, about }: Check) => ({ name, title, about }));

export async function examineRun(
  device: Device,
  config: TrainingConfig,
  weights: StateDict | undefined,
  shouldContinue: () => boolean,
  report: (event: DoctorEvent) => void,
): Promise<Pick<Examination, 'findings' | 'recommendation'>> {
  const findings = await examine(
    device,
    { ...config, weights },
    {
      shouldContinue,
      onCheck: ({ name }) => report({ type: 'doctor', what: 'checking', check: name }),
      onFinding: (finding) => report({ type: 'doctor', what: 'found', finding: entryOf(finding) }),
    },
  );
  const recommended = recommend(findings, config.lr);
  const names = findings.map(({ check }) => check);
  const instead = names.filter((name) => !standsBeside(name, recommended));
  return {
    findings: findings.map(entryOf),
    ...(recommended ? { recommendation: { ...recommended, instead } } : {}),
  };
}

const entryOf = ({ check, numbers, ...rest }: CheckResult): Finding => ({
  ...rest,
  name: check,
  numbers: { ...numbers },
});
