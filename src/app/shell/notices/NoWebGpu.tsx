import type { FailureValue } from '../../../base/result.ts';
import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { load } from '../../load.ts';
import { BROWSERS, browserOf } from './browsers.ts';
import styles from './Notices.module.css';

/** Without WebGPU nothing trains, but the page can still be looked around in. */
export function NoWebGpu({ error }: { error: FailureValue | undefined }) {
  const mine = browserOf(navigator.userAgent);
  const others = BROWSERS.filter((browser) => browser !== mine);
  return (
    <Notice
      kind="error"
      title="wgrad needs WebGPU, and found none that it can use"
      actions={
        <Button icon="retry" onPress={() => void load()}>
          Look again
        </Button>
      }
    >
      {error && (
        <p>
          {error.message} {error.advice}
        </p>
      )}
      {!isSecureContext && (
        <p>WebGPU is offered to pages over https and on localhost only. This page came over http.</p>
      )}
      {mine && (
        <p>
          <b>{mine.name}:</b> {mine.advice}
        </p>
      )}
      <details className={styles.browsers}>
        <summary>{mine ? 'Other browsers' : 'Browsers that offer it'}</summary>
        <ul>
          {others.map(({ name, advice }) => (
            <li key={name}>
              <b>{name}:</b> {advice}
            </li>
          ))}
        </ul>
      </details>
      <p>Data, model and settings can be looked at meanwhile.</p>
    </Notice>
  );
}
