import { Failure } from '../../base/result.ts';
import type { Device } from '../../gpu/device.ts';
import type { Check, Diagnosis, Finding } from './check.ts';
import { Patient, type PatientConfig } from './patient.ts';
import { checksInOrder } from './registry.ts';

export interface ExamineOptions {
  /** Default: all, in their order. */
  checks?: readonly Check[];
  /** Told before each. */
  onCheck?(check: Check): void;
  onFinding?(finding: Finding): void;
  /** Asked now and then; answering false ends it. */
  goOn?(): boolean;
}

/**
 * Makes all checks, one after the other, on networks of their own: no run is touched.
 * @throws Failure `cancelled` where it was ended, `bad-input` if model and data do not fit, `device-lost`
 */
export async function examine(
  device: Device,
  config: PatientConfig,
  { checks = checksInOrder(), onCheck, onFinding, goOn = () => true }: ExamineOptions = {},
): Promise<Finding[]> {
  const patient = new Patient(device, config, goOn);
  const findings: Finding[] = [];
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

/** What a check cannot do on this machine is a finding too; the others go on. */
async function diagnose(check: Check, patient: Patient): Promise<Diagnosis> {
  try {
    return await check.examine(patient);
  } catch (error) {
    const ends = ['cancelled', 'device-lost', 'bad-input'];
    if (!(error instanceof Failure) || ends.includes(error.code)) throw error;
    const { message, advice } = error;
    return {
      light: 'skipped',
      found: `Could not be checked: ${message}`,
      ...(advice ? { advice } : {}),
      numbers: {},
    };
  }
}
