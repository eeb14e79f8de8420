import { first as texts } from '../messages/en/first.tsx';
import { padDataset } from '../pad/pad-dataset.ts';
import { knowsTrained, targetOf } from '../pad/target.ts';
import { hrefOf } from '../route.ts';
import { useApp } from '../state/store.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './Tour.module.css';

/** What the page is and what to do, for whoever opens it for the first time. */
export function FirstSentence() {
  const digits = useApp((state) => knowsTrained(targetOf(padDataset(state))));
  const dismiss = useApp((state) => state.dismissIntroduction);
  return (
    <section className={`compact ${styles.first}`} aria-label={texts.label}>
      <p>{digits ? texts.digits : texts.images}</p>
      <a href={hrefOf('train', '', { tour: 'digits' })}>{texts.show}</a>
      <Button kind="quiet" icon="close" className="iconic" title={texts.dismiss} onPress={dismiss}>
        {texts.dismiss}
      </Button>
    </section>
  );
}
