import type { Finding, Light } from '../../../worker/api.ts';

interface CheckUp {
  findings: readonly Finding[];
  /** How many checks there are. */
  checks: number;
  busy: boolean;
  /** The checks were run, even if they were stopped early. */
  started: boolean;
}

/** All findings in a sentence or two. */
export function verdictOf({ findings, checks, busy, started }: CheckUp): string {
  if (busy) return `Running check ${Math.min(checks, findings.length + 1)} of ${checks}…`;
  if (!started) return 'No checks run yet. They take a few seconds and do not affect your run.';
  const count = (light: Light) => findings.filter((finding) => finding.light === light).length;
  const [bad, watch, good, skipped] = [count('bad'), count('watch'), count('good'), count('skipped')];
  const counts = [
    bad > 0 && `${bad} failed`,
    watch > 0 && `${watch} ${watch === 1 ? 'warning' : 'warnings'}`,
    good > 0 && `${good} passed`,
    skipped > 0 && `${skipped} skipped`,
  ].filter(Boolean);
  const stopped = findings.length < checks ? ` Stopped after ${findings.length} of ${checks} checks.` : '';
  if (good === checks) return `All ${checks} checks passed.`;
  if (counts.length === 0) return `No results.${stopped}`;
  const result =
    bad > 0
      ? 'Problems found'
      : watch > 0
        ? 'No problems, but warnings'
        : stopped
          ? 'No problems so far'
          : 'No problems';
  return `${result}: ${counts.join(', ')}.${stopped}`;
}
