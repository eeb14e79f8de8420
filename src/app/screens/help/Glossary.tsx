import { useEffect, useState } from 'react';
import { help as texts } from '../../messages/en/help.tsx';
import { slugOf, termHref } from '../../glossary-link.ts';
import { useRoute } from '../../route.ts';
import { Button } from '../../widgets/Button.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { entryAt, foundIn, KERNELS, type GlossaryEntry } from './glossary.ts';
import styles from './Help.module.css';

/** All words, with a search. `#/help/learning-rate` shows and marks that one. */
export function Glossary() {
  const { screen, view } = useRoute();
  const named = screen === 'help' && view !== '' ? view : undefined;
  const [query, setQuery] = useState('');
  const [sought, setSought] = useState<string>();
  if (named !== sought) {
    setSought(named);
    // One that is not there is searched for, which says so.
    if (named !== undefined) setQuery(entryAt(named) ? '' : named.replaceAll('-', ' '));
  }
  const current = named === undefined ? undefined : entryAt(named);
  useEffect(() => {
    if (!current) return;
    document.getElementById(idOf(current))?.scrollIntoView({ block: 'center' });
  }, [current]);
  const found = foundIn(query);
  const kernels = found.filter(({ kind }) => kind === KERNELS);
  return (
    <Panel
      title={texts.glossary.title}
      aside={<span className="fine">{texts.glossary.shown(found.length)}</span>}
    >
      <div className={styles.search}>
        <input
          type="search"
          aria-label={texts.glossary.search}
          placeholder={texts.glossary.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <p role="status" className="soft">
        {found.length === 0 && texts.glossary.none(query)}
      </p>
      {found.length === 0 && <Button onPress={() => setQuery('')}>{texts.glossary.all}</Button>}
      <Entries entries={found.filter(({ kind }) => kind !== KERNELS)} current={current} />
      {kernels.length > 0 && <h3>{KERNELS}</h3>}
      <Entries entries={kernels} current={current} />
    </Panel>
  );
}

const idOf = ({ word }: GlossaryEntry): string => `glossary-${slugOf(word)}`;

interface EntriesProps {
  entries: readonly GlossaryEntry[];
  current: GlossaryEntry | undefined;
}

const Entries = ({ entries, current }: EntriesProps) => (
  <dl>
    {entries.map((entry) => (
      <Entry key={idOf(entry)} entry={entry} isCurrent={entry === current} />
    ))}
  </dl>
);

function Entry({ entry, isCurrent }: { entry: GlossaryEntry; isCurrent: boolean }) {
  const { word, kind, everyday, meaning, elsewhere, differs } = entry;
  const kinds: Readonly<Record<string, string>> = {
    setting: texts.glossary.setting,
    metric: texts.glossary.metric,
  };
  return (
    <div id={idOf(entry)} className={styles.entry} data-current={isCurrent || undefined}>
      <dt>
        <a href={termHref(word)}>{word}</a>
        <span className="fine">{kinds[kind] ?? kind}</span>
      </dt>
      {everyday !== undefined && <dd>{everyday}</dd>}
      {meaning !== '' && (
        <dd className="soft">
          <Inline text={meaning} />
        </dd>
      )}
      {elsewhere !== undefined && (
        <dd className="fine">
          {texts.glossary.elsewhere}
          <Inline text={elsewhere} />
        </dd>
      )}
      {differs !== undefined && (
        <dd className="fine">
          {texts.glossary.differs}: <Inline text={differs} />
        </dd>
      )}
    </div>
  );
}

/** Markdown in a line: `code` and _emphasis_. */
const Inline = ({ text }: { text: string }) =>
  text.split(/(`[^`]+`|\b_[^_]+_\b)/).map((part, i) => {
    if (part.startsWith('`')) return <code key={i}>{part.slice(1, -1)}</code>;
    return /^_.+_$/.test(part) ? <em key={i}>{part.slice(1, -1)}</em> : part;
  });
