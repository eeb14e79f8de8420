import { Button } from '../../components/Button.tsx';
import { Notice } from '../../components/Notice.tsx';
import { useApp } from '../../state/store.ts';
import styles from './Notices.module.css';

/** Over every screen: what the worker should have answered, but its code could not be fetched. */
export function MissingPart() {
  const missing = useApp((state) => state.missingPart);
  if (!missing) return null;
  return (
    <div className={styles.notices}>
      <Notice
        kind="error"
        title="A part of wgrad could not be loaded"
        actions={
          <Button icon="retry" onPress={() => location.reload()}>
            Load the page anew
          </Button>
        }
      >
        <p>{missing.message}</p>
        <p>Everything else goes on. See that you are online; a reload ends a run that is under way.</p>
      </Notice>
    </div>
  );
}
