import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useApp } from '../../state/store.ts';
import styles from './Notices.module.css';

/** Says that there is no GPU, where its speed is what people look at. The adapter stands in the top bar everywhere. */
export function SlowNotice() {
  const device = useApp((state) => state.device);
  const adapter = useApp((state) => state.adapter);
  const known = useApp((state) => state.slownessKnown);
  const knowSlowness = useApp((state) => state.knowSlowness);
  if (device !== 'ready' || !adapter?.software || known) return null;
  return (
    <div className={styles.notices}>
      <Notice
        kind="warning"
        title="No GPU here: WebGPU runs on the processor"
        actions={
          <Button kind="quiet" icon="close" onPress={knowSlowness}>
            Understood
          </Button>
        }
      >
        <p>
          Everything works, only slowly. The browser’s adapter is {adapter.description}. If this machine has a
          GPU, turn on hardware acceleration in the browser’s settings.
        </p>
      </Notice>
    </div>
  );
}
