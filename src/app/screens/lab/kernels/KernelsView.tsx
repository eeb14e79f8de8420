import { useEffect } from 'react';
import { kernels } from '../../../messages/kernels.ts';
import { hrefOf } from '../../../route.ts';
import { Icon } from '../../../widgets/Icon.tsx';
import { useSettings } from '../use-settings.ts';
import styles from './Kernels.module.css';
import { loadKernelLessons, useKernels } from './kernel-store.ts';
import { LessonPanels } from './LessonPanels.tsx';

const DEFAULTS = { lesson: 'loops' };

/** Lessons in writing kernels: the list, and the one that is chosen. */
export function KernelsView() {
  useEffect(() => void loadKernelLessons(), []);
  const lessons = useKernels((state) => state.lessons);
  const done = useKernels((state) => state.done);
  const [{ lesson: chosen }] = useSettings('kernels', DEFAULTS);
  if (!lessons) return null;
  const at = Math.max(
    0,
    lessons.findIndex(({ name }) => name === chosen),
  );
  return (
    <div className={styles.view}>
      <nav className={styles.list} aria-label={kernels.list}>
        <ol>
          {lessons.map(({ name }, i) => (
            <li key={name}>
              <a
                href={hrefOf('lab', 'kernels', { lesson: name })}
                aria-current={i === at ? 'step' : undefined}
              >
                <span className={styles.number}>{done.includes(name) ? <Icon name="check" /> : i + 1}</span>
                {kernels.lessons[name].title}
                {done.includes(name) && <span className="unseen">{kernels.done}</span>}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <LessonPanels
        key={lessons[at].name}
        lesson={lessons[at]}
        place={kernels.number(at + 1, lessons.length)}
        next={lessons[at + 1]?.name}
      />
    </div>
  );
}
