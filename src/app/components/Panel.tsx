import { useId, useState, type ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import styles from './Panel.module.css';

interface PanelProps {
  title: string;
  /** One line for learners on what this part is. */
  explanation?: ReactNode;
  /** Something small at the right of the title. */
  aside?: ReactNode;
  /** Can be folded. On a phone it starts folded, so that the curves are near. */
  folding?: boolean;
  children: ReactNode;
}

const PHONE = '(max-width: 47.9rem)';

/** One part of the screen: a titled card. */
export function Panel({ title, explanation, aside, folding = false, children }: PanelProps) {
  const id = useId();
  const [startsOpen] = useState(() => !matchMedia(PHONE).matches);
  const intro = explanation && <p className={styles.explanation}>{explanation}</p>;
  if (!folding) {
    return (
      <section className={styles.panel} aria-labelledby={id}>
        <div className={styles.head}>
          <h2 id={id}>{title}</h2>
          {aside}
        </div>
        {intro}
        {children}
      </section>
    );
  }
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <details open={startsOpen}>
        <summary className={styles.head}>
          <h2 id={id}>{title}</h2>
          {aside}
          <span className={styles.chevron}>
            <Icon name="chevron" />
          </span>
        </summary>
        {intro}
        {children}
      </details>
    </section>
  );
}
