import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from 'react';
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

/** Above the page, which waits. Escape closes it, and the focus returns to where it was. */
export function Modal({ className = '', ...attributes }: ComponentProps<'dialog'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // The platform's choice may be a button that can do nothing yet.
    if (document.activeElement?.ariaDisabled === 'true') dialog.current?.focus();
    return () => {
      // Unless what it was closed for has taken the focus.
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  return <dialog ref={dialog} tabIndex={-1} className={`${styles.dialog} ${className}`} {...attributes} />;
}

/** A task of its own, above the page. */
export function Dialog({ title, explanation, actions, onClose, children }: DialogProps) {
  const id = useId();
  return (
    <Modal aria-labelledby={id} onClose={onClose}>
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
    </Modal>
  );
}
