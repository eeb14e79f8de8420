import { useEffect } from 'react';
import { later } from '../components/later.tsx';
import { share } from '../messages/en/share.tsx';
import { hrefOf } from '../route.ts';
import { CARD_NAMES, isCard } from './cards.ts';
import styles from './Embed.module.css';

const texts = share.embed;

const PadCard = later(share.cards.pad, async () => (await import('./PadCard.tsx')).PadCard);
const RunCard = later('A run', async () => (await import('./RunCard.tsx')).RunCard);

/** @param parameters of the address: `card`, and the settings of a link */
export function Embed({ parameters }: { parameters: Readonly<Record<string, string>> }) {
  const { card, engine: _engine, theme: _theme, ...settings } = parameters;
  const title = isCard(card) ? share.cards[card] : texts.unknown;
  useEffect(() => {
    document.title = `${title} · wgrad`;
  }, [title]);
  useEffect(openPlaces, []);
  if (!isCard(card)) return <Unknown card={card} />;
  return (
    <main className={styles.embed}>
      <h1 className="unseen">wgrad: {title}</h1>
      {card === 'pad' ? <PadCard /> : <RunCard card={card} settings={settings} />}
      <p className={`fine spread ${styles.foot}`}>
        <span>{texts.keepsNothing}</span>
        <a href={`./${'v' in settings ? hrefOf('train', '', settings) : ''}`} target="_blank" rel="noopener">
          {texts.open}
        </a>
      </p>
    </main>
  );
}

function Unknown({ card = '' }: { card: string | undefined }) {
  return (
    <main className={styles.embed}>
      <h1>{texts.unknown}</h1>
      <p>{texts.expected(card.slice(0, 40))}</p>
      <ul className={styles.list}>
        {CARD_NAMES.map((name) => (
          <li key={name}>
            <a href={`?card=${name}`}>{name}</a>: {share.cards[name]}
          </li>
        ))}
      </ul>
    </main>
  );
}

/** Other screens, to which parts of a card lead, are in wgrad itself. */
function openPlaces(): () => void {
  const go = () => {
    if (location.hash === '') return;
    window.open(`./${location.hash}`, '_blank', 'noopener');
    history.replaceState(null, '', location.pathname + location.search);
  };
  addEventListener('hashchange', go);
  return () => removeEventListener('hashchange', go);
}
