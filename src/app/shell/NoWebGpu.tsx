import type { FailureValue } from '../../base/result.ts';
import { chooseEngine } from '../actions/engine.ts';
import { Button } from '../widgets/Button.tsx';
import { Notice } from '../widgets/Notice.tsx';
import { load } from '../load.ts';
import { BrowsersWithWebGpu } from './BrowsersWithWebGpu.tsx';

/** The title of the notice by what is missing. */
const titleOf = (error: FailureValue | undefined) =>
  error?.code === 'no-cpu-engine' ? 'The CPU engine is not available' : 'No GPU available';

/** Without a device nothing trains, but the page can still be browsed. */
export function NoWebGpu({ error }: { error: FailureValue | undefined }) {
  return (
    <Notice
      kind="error"
      title={titleOf(error)}
      actions={
        <>
          {error?.code !== 'no-cpu-engine' && (
            <Button icon="play" kind="primary" onPress={() => void chooseEngine('cpu')}>
              Use the CPU
            </Button>
          )}
          <Button icon="retry" onPress={() => void load()}>
            Try again
          </Button>
        </>
      }
    >
      {error && (
        <p>
          {error.message} {error.advice}
        </p>
      )}
      <BrowsersWithWebGpu />
      <p>You can still browse data, models and settings.</p>
    </Notice>
  );
}
