import type { StudyInfo } from '../../../worker/api.ts';
import { hrefOf } from '../../route.ts';
import styles from './Studies.module.css';
import { useStudies } from './studies-store.ts';

/** A card for each study. */
export function StudyList({ list }: { list: readonly StudyInfo[] }) {
  const here = useStudies((state) => state.here);
  return (
    <ol className={styles.list}>
      {list.map(({ name, order, title, question, source }) => (
        <li key={name}>
          <a href={hrefOf('studies', name)}>
            <span className={styles.number} aria-hidden="true">
              {order}
            </span>
            <span className={styles.card}>
              <strong>{title}</strong>
              <span className="soft">{question}</span>
              <span className="fine">
                {source.title}. {[source.kind, source.date].filter(Boolean).join(', ')}.
                {here[name]?.state === 'done' && ' Measured here.'}
              </span>
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}
