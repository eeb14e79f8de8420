import { useState, type ReactNode } from 'react';
import type { FailureValue } from '../../base/result.ts';
import { prose } from '../format.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import styles from './Notice.module.css';

interface NoticeProps {
  kind: 'info' | 'warning' | 'error';
  title: string;
  /** What happened and what to do about it. */
  children?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
  /** Adds the button "Dismiss". */
  onDismiss?: (() => void) | undefined;
  /** Whether "Dismiss" only hides it, as long as it is shown for the same reason. */
  hideable?: boolean;
}

/** Something that the person should know, in its place. Errors are announced. */
export function Notice({ kind, title, children, actions, onDismiss, hideable = false }: NoticeProps) {
  const [hidden, setHidden] = useState(false);
  if (hidden) return null;
  const dismiss = onDismiss ?? (hideable ? () => setHidden(true) : undefined);
  return (
    <div className={styles.notice} data-tone={kind} role={kind === 'error' ? 'alert' : undefined}>
      <Icon name={kind === 'info' ? 'info' : 'warning'} />
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
      {(actions || dismiss) && (
        <div className="row">
          {actions}
          {dismiss && (
            <Button kind="quiet" icon="close" onPress={dismiss}>
              Dismiss
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface FailureNoticeProps {
  kind?: 'warning' | 'error';
  /** What failed. */
  title: string;
  error: FailureValue;
  onDismiss?: () => void;
}

/** A failure: what happened, and what to do about it. */
export const FailureNotice = ({ kind = 'error', title, error, onDismiss }: FailureNoticeProps) => (
  <Notice kind={kind} title={title} onDismiss={onDismiss}>
    <p>{prose(error.message)}</p>
    {error.advice && <p>{prose(error.advice)}</p>}
  </Notice>
);

/** Notices above what they are about. Takes no room while there are none. */
export const NoticeStack = ({ children }: { children: ReactNode }) => (
  <div className={styles.stack}>{children}</div>
);
