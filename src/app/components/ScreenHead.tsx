import type { ReactNode } from 'react';
import { hrefOf } from '../route.ts';
import { Explain, firstLayer, type Explanation } from '../widgets/Popover.tsx';
import styles from './ScreenHead.module.css';

interface ScreenHeadProps {
  title: string;
  /** For screen readers: "Lab views". */
  label?: string;
  /** Its views, if it has several: `#/lab/map` is the view "map" of the screen "lab". */
  screen?: string;
  views?: readonly { name: string; title: string }[];
  /** The view that is shown. */
  current?: string;
  /** What it is for, in a sentence. */
  explanation: Explanation;
  /** Its subject, in small print beside its buttons. */
  subject?: string;
  /** Buttons and the like, at the right. */
  children?: ReactNode;
}

/** A screen's title and the links to its views. */
export function ScreenHead({
  title,
  label,
  screen = '',
  views,
  current,
  explanation,
  subject,
  children,
}: ScreenHeadProps) {
  const { said, hasMore } = firstLayer(explanation);
  return (
    <header className={styles.head}>
      <h2>{title}</h2>
      {views && (
        <nav className={styles.views} aria-label={label}>
          {views.map((view) => (
            <a
              key={view.name}
              href={hrefOf(screen, view.name)}
              aria-current={view.name === current ? 'page' : undefined}
            >
              {view.title}
            </a>
          ))}
        </nav>
      )}
      {(subject !== undefined || children) && (
        <div className={styles.actions}>
          {subject !== undefined && <span className="soft">{subject}</span>}
          {children}
        </div>
      )}
      <p>
        {said}{' '}
        {hasMore && (
          <Explain of={views?.find(({ name }) => name === current)?.title ?? title}>{explanation}</Explain>
        )}
      </p>
    </header>
  );
}
