import type { FailureValue } from '../../base/result.ts';
import { Button } from '../components/Button.tsx';
import { Notice } from '../components/Notice.tsx';
import { load } from '../load.ts';
import { BROWSERS, browserOf } from './browsers.ts';

/** Without WebGPU nothing trains, but the page can still be browsed. */
export function NoWebGpu({ error }: { error: FailureValue | undefined }) {
  const mine = browserOf(navigator.userAgent);
  const others = BROWSERS.filter((browser) => browser !== mine);
  return (
    <Notice
      kind="error"
      title="WebGPU is not available"
      actions={
        <Button icon="retry" onPress={() => void load()}>
          Try again
        </Button>
      }
    >
      {error && (
        <p>
          {error.message} {error.advice}
        </p>
      )}
      {!isSecureContext && <p>WebGPU requires HTTPS or localhost. This page was loaded over HTTP.</p>}
      {mine && (
        <p>
          <b>{mine.name}:</b> {mine.advice}
        </p>
      )}
      <details>
        <summary>{mine ? 'Other browsers' : 'Supported browsers'}</summary>
        <ul>
          {others.map(({ name, advice }) => (
            <li key={name}>
              <b>{name}:</b> {advice}
            </li>
          ))}
        </ul>
      </details>
      <p>You can still browse data, models and settings.</p>
    </Notice>
  );
}
