import { useState, type ReactNode } from 'react';
import type { FailureValue } from '../../base/result.ts';
import { prose } from '../format.ts';
import { Button } from './Button.tsx';
import { Icon } from './Icon.tsx';
import styles from './Notice.module.css';

interface CalloutProps {
  kind: 'info' | 'warning' | 'error';
  title: string;
  /** What happened and what to do about it. */
  children?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
  /** For what is not an error, and should be read out when it appears. */
  role?: 'status';
  /** Adds the button "Dismiss". */
  onDismiss?: (() => void) | undefined;
}

/** A box about the part of a screen that it stands in. Errors are announced. */
export const Callout = ({ kind, title, children, actions, role, onDismiss }: CalloutProps) => (
  <div className={styles.notice} data-tone={kind} role={kind === 'error' ? 'alert' : role}>
    <Icon name={kind === 'info' ? 'info' : 'warning'} />
    <div className={styles.text}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
    {(actions || onDismiss) && (
      <div className="row">
        {actions}
        {onDismiss && (
          <Button kind="quiet" icon="close" onPress={onDismiss}>
            Dismiss
          </Button>
        )}
      </div>
    )}
  </div>
);

interface NoticeProps extends CalloutProps {
  /** What it is about: without `onDismiss`, "Dismiss" hides it until that changes. */
  about?: unknown;
}

/** What a person should know on any screen; all are in one place (`shell/NoticePlace.tsx`), and each can be dismissed. */
export function Notice({ about, onDismiss, ...callout }: NoticeProps) {
  const reason = about ?? callout.title;
  const [hidden, hide] = useState<unknown>();
  if (hidden === reason) return null;
  return <Callout {...callout} onDismiss={onDismiss ?? (() => hide(reason))} />;
}

interface FailureNoticeProps {
  kind?: 'warning' | 'error';
  /** What failed. */
  title: string;
  error: FailureValue;
  onDismiss?: () => void;
}

/** A failure, where it happened: what happened, and what to do about it. */
export const FailureNotice = ({ kind = 'error', title, error, onDismiss }: FailureNoticeProps) => (
  <Notice kind={kind} title={title} about={error} onDismiss={onDismiss}>
    <p>{prose(error.message)}</p>
    {error.advice && <p>{prose(error.advice)}</p>}
  </Notice>
);

/** Notices above what they are about. Takes no room while there are none. */
export const NoticeStack = ({ children }: { children: ReactNode }) => (
  <div className={styles.stack}>{children}</div>
);
