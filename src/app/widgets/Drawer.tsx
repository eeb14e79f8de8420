import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button } from './Button.tsx';
import { useEscape } from './use-escape.ts';
import styles from './Drawer.module.css';

interface DrawerProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  onClose(): void;
  children: ReactNode;
}

/** A panel over the left of the page; the rest stays in use. It stays until it is closed, also with Escape. */
export function Drawer({ title, aside, onClose, children }: DrawerProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  useEscape(panel, onClose);
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    // A field in it may have the focus already.
    if (!panel.current?.contains(document.activeElement)) panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [before]);
  return createPortal(
    <div ref={panel} className={styles.drawer} data-drawer role="dialog" aria-labelledby={id} tabIndex={-1}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside}
        <Button kind="quiet" icon="close" onPress={onClose}>
          Close
        </Button>
      </div>
      <div className={styles.content}>{children}</div>
    </div>,
    document.body,
  );
}
