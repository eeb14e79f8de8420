import { useId, type ReactNode } from 'react';
import { Explain, firstLayer, type Explanation } from './Popover.tsx';
import styles from './Panel.module.css';

interface PanelProps {
  title: string;
  /** For learners: what this part is. */
  explanation?: Explanation;
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
  const { said, hasMore } = firstLayer(explanation);
  return (
    <section className={`${styles.panel} ${className}`} data-dense={dense || undefined} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {((dense && said) || hasMore) && <Explain of={title}>{explanation}</Explain>}
        {aside}
      </div>
      {!dense && said && <p className={styles.explanation}>{said}</p>}
      {children}
    </section>
  );
}
