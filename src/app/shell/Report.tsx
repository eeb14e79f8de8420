import { VERSION } from '../../base/version.ts';
import { shell as texts } from '../messages/en/shell.tsx';
import { Copyable } from '../share/Copyable.tsx';
import { useApp, type AppState } from '../state/store.ts';

/** What whoever looks for a fault asks first. Nobody gets it but by the visitor's own hand. */
export const reportOf = ({ device, adapter, deviceError, runState, runError }: AppState): string =>
  [
    `wgrad ${VERSION}, ${location.href}`,
    navigator.userAgent,
    `window ${innerWidth}x${innerHeight}, ${navigator.hardwareConcurrency} cores, isolated: ${crossOriginIsolated}`,
    `device: ${device}${deviceError ? `, ${deviceError.message}` : ''}`,
    adapter && JSON.stringify(adapter),
    `run: ${runState}${runError ? `, ${runError.message}` : ''}`,
  ]
    .filter(Boolean)
    .join('\n');

/** Shows and copies what a report of a problem needs. */
export function Report() {
  const text = useApp(reportOf);
  return (
    <details>
      <summary>{texts.report.title}</summary>
      <p className="soft">{texts.report.about}</p>
      <Copyable label={texts.report.label} text={text} />
    </details>
  );
}
