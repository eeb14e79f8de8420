import { Notice } from '../components/Notice.tsx';

/** Tells what is slower on a GPU that has WebGPU in compatibility mode only. */
export function CompatibilityNotice({ onDismiss }: { onDismiss(): void }) {
  return (
    <Notice kind="info" title="This GPU runs WebGPU in compatibility mode" onDismiss={onDismiss}>
      <p>
        Everything works. Convolutions and matrix products are slower than the GPU could make them, because
        their workgroups have fewer threads and the fastest tiles do not fit.
      </p>
    </Notice>
  );
}
