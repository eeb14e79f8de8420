import type { ReactNode, RefObject } from 'react';
import { Button } from '../widgets/Button.tsx';
import styles from './Card.module.css';

interface CardProps {
  card: RefObject<HTMLElement | null>;
  /** For screen readers: "Tour". */
  label: string;
  /** Where in its course it is: "2 of 5". */
  caption: string;
  /** The button that closes it. */
  close: string;
  closeTitle?: string;
  onClose(): void;
  /** Small buttons before that one. */
  tools?: ReactNode;
  children: ReactNode;
}

/** A card above the page, which stays in use. `useBeside` puts it beside what it speaks of. */
export const Card = ({
  card,
  label,
  caption,
  close,
  closeTitle = close,
  onClose,
  tools,
  children,
}: CardProps) => (
  <section ref={card} className={`compact ${styles.card}`} aria-label={label} tabIndex={-1}>
    <header className={styles.head}>
      <span className="fine">{caption}</span>
      <span className={styles.tools}>
        {tools}
        <Button kind="quiet" icon="close" className="iconic" title={closeTitle} onPress={onClose}>
          {close}
        </Button>
      </span>
    </header>
    {children}
  </section>
);
