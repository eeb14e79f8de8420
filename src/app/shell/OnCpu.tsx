import type { FailureValue } from '../../base/result.ts';
import { Notice } from '../components/Notice.tsx';
import { BrowsersWithWebGpu } from './BrowsersWithWebGpu.tsx';

interface OnCpuProps {
  /** Why it is not the GPU. */
  reason: FailureValue;
  onDismiss(): void;
}

/** Says that the CPU trains because there is no GPU to train on. */
export function OnCpu({ reason, onDismiss }: OnCpuProps) {
  return (
    <Notice kind="info" title="Training runs on the CPU here" onDismiss={onDismiss}>
      <p>{reason.message} Everything works; large models are slower than on a GPU.</p>
      <details>
        <summary>How to use a GPU</summary>
        {reason.advice && <p>{reason.advice}</p>}
        <BrowsersWithWebGpu />
      </details>
    </Notice>
  );
}
