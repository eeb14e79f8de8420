import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import styles from './Dialog.module.css';

interface DialogProps {
  title: string;
  /** One line on what it is for. */
  explanation?: ReactNode;
  /** Buttons at its end, beside Close. */
  actions?: ReactNode;
  onClose(): void;
  children: ReactNode;
}

/** A task of its own, above the page. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, explanation, actions, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {explanation && <p className="soft">{explanation}</p>}
      </header>
      <div className={styles.content}>{children}</div>
      <footer className={styles.foot}>
        {actions}
        <Button icon="close" onPress={onClose}>
          Close
        </Button>
      </footer>
    </dialog>
  );
}
