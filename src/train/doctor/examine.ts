import { Failure } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import type { Check, Diagnosis, CheckResult } from './check.ts';
import { Patient, type PatientConfig } from './patient.ts';
import { checksInOrder } from './registry.ts';

export interface ExamineOptions {
  /** Default: all, in their order. */
  checks?: readonly Check[];
  /** Called before each. */
  onCheck?(check: Check): void;
  onFinding?(finding: CheckResult): void;
  /** Called now and then; returning false stops the checks. */
  shouldContinue?(): boolean;
}

/**
 * Runs all checks in order, on separate networks: no run is affected.
 * @throws Failure `cancelled` if it was stopped, `bad-input` if model and data do not fit, `device-lost`
 */
export async function examine(
  device: Device,
  config: PatientConfig,
  { checks = checksInOrder(), onCheck, onFinding, shouldContinue = () => true }: ExamineOptions = {},
): Promise<CheckResult[]> {
  const patient = new Patient(device, config, shouldContinue);
  const findings: CheckResult[] = [];
  for (const check of checks) {
    patient.requireTime();
    onCheck?.(check);
    const start = performance.now();
    const diagnosis = await diagnose(check, patient);
    const { name, title, about } = check;
    const finding = { check: name, title, about, ...diagnosis, ms: performance.now() - start };
    findings.push(finding);
    onFinding?.(finding);
  }
  return findings;
}

/** A check that cannot run on this machine is skipped; the others continue. */
async function diagnose(check: Check, patient: Patient): Promise<Diagnosis> {
  try {
    return await check.examine(patient);
  } catch (error) {
    const ends = ['cancelled', 'device-lost', 'bad-input'];
    if (!(error instanceof Failure) || ends.includes(error.code)) throw error;
    const { message, advice } = error;
    return { light: 'skipped', found: `Could not be checked: ${message}`, advice, numbers: {} };
  }
}
