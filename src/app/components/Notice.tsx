import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import styles from './Notice.module.css';

interface NoticeProps {
  kind: 'info' | 'warning' | 'error';
  title: string;
  /** What happened and what to do about it. */
  children?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
}

/** Something that the person should know, said once and in place. Errors are announced. */
export function Notice({ kind, title, children, actions }: NoticeProps) {
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={kind === 'error' ? 'alert' : undefined}>
      <Icon name={kind === 'info' ? 'info' : 'warning'} />
      <div className={styles.text}>
        <p className={styles.title}>{title}</p>
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
