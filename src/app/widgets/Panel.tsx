import { useId, type ReactNode } from 'react';
import { Explain } from './Popover.tsx';
import styles from './Panel.module.css';

interface PanelProps {
  title: string;
  /** For learners: what this part is. */
  explanation?: ReactNode;
  /** Something small at the right of the title. */
  aside?: ReactNode;
  /** Where room is scarce: the explanation is behind a button. */
  dense?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** One part of the screen: a titled card. */
export function Panel({ title, explanation, aside, dense = false, className = '', children }: PanelProps) {
  const id = useId();
  return (
    <section className={`${styles.panel} ${className}`} data-dense={dense || undefined} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {dense && explanation && <Explain of={title}>{explanation}</Explain>}
        {aside}
      </div>
      {!dense && explanation && <p className={styles.explanation}>{explanation}</p>}
      {children}
    </section>
  );
}
