import { ScreenHead } from '../../components/ScreenHead.tsx';
import { help as texts } from '../../messages/en/help.tsx';
import { hrefOf } from '../../route.ts';
import { Panel } from '../../widgets/Panel.tsx';
import { Glossary } from './Glossary.tsx';
import styles from './Help.module.css';
import { Keys } from './Keys.tsx';

/** Where somebody looks who does not know how to go on: the tour, the keys, what the page is, and every word. */
export function HelpScreen() {
  return (
    <>
      <ScreenHead title={texts.title} explanation={texts.explanation} />
      <div className={styles.parts}>
        <div className="column">
          <Panel title={texts.tour.title} explanation={texts.tour.about}>
            <a href={hrefOf('train', '', { tour: 'digits' })}>{texts.tour.show}</a>
          </Panel>
          <Panel title={texts.lessons.title} explanation={texts.lessons.about}>
            <a href={hrefOf('lessons')}>{texts.lessons.show}</a>
          </Panel>
          <Panel title={texts.keys.title}>
            <Keys />
          </Panel>
          <Panel title={texts.about.title}>
            <div className={`soft ${styles.about}`}>
              <p>{texts.about.what}</p>
              <p>{texts.about.local}</p>
              <p>{texts.about.licence}</p>
            </div>
          </Panel>
        </div>
        <Glossary />
      </div>
    </>
  );
}
