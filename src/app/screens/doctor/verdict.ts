import type { Finding, Light } from '../../../worker/api.ts';

/** What each light is called. */
export const LIGHTS: Readonly<Record<Light, string>> = {
  good: 'Fine',
  watch: 'Worth a look',
  bad: 'Wrong',
  skipped: 'Not checked',
};

interface Examined {
  findings: readonly Finding[];
  /** How many checks there are. */
  checks: number;
  busy: boolean;
  /** There was an examination, even if it was ended early. */
  examined: boolean;
}

/** All findings in a sentence or two. */
export function verdictOf({ findings, checks, busy, examined }: Examined): string {
  if (busy) return `Check ${Math.min(checks, findings.length + 1)} of ${checks} is being made.`;
  if (!examined) return 'Nothing examined yet. It takes some seconds on a GPU, and leaves your run as it is.';
  const count = (light: Light) => findings.filter((finding) => finding.light === light).length;
  const [bad, watch, good, skipped] = [count('bad'), count('watch'), count('good'), count('skipped')];
  const ended = findings.length < checks ? ` Ended after ${findings.length} of ${checks} checks.` : '';
  const parts = [
    ...(bad > 0 ? [`${bad} wrong`] : []),
    ...(watch > 0 ? [`${watch} worth a look`] : []),
    ...(good > 0 ? [`${good} fine`] : []),
    ...(skipped > 0 ? [`${skipped} not checked`] : []),
  ];
  const words = parts.length > 0 ? `: ${parts.join(', ')}.` : '.';
  if (bad > 0) return `Something is wrong${words}${ended}`;
  if (watch > 0) return `Nothing is wrong, but look at this${words}${ended}`;
  return `All is well${words}${ended}`;
}
