import { useEffect, useState } from 'react';
import { download } from '../download.ts';
import { CARD_NAMES, snippetOf, type CardName } from '../embed/cards.ts';
import { share as texts } from '../messages/en/share.tsx';
import type { RunRecord } from '../journal/record.ts';
import { useRuns } from '../journal/runs-store.ts';
import { Button } from '../widgets/Button.tsx';
import { Dialog } from '../widgets/Dialog.tsx';
import { addressOf, currentParameters, isLocal, parametersOfRun } from './address.ts';
import { Copyable } from './Copyable.tsx';
import { closeShareDialog, useShareDialog } from './dialog.ts';
import styles from './Share.module.css';

/** What can be passed on: a link, the picture of a run, and cards for other pages. */
export function ShareDialog() {
  const asked = useShareDialog((state) => state.open?.run);
  const record = useRuns(({ records, open }) => records?.find(({ id }) => id === (asked ?? open)));
  const [parameters, setParameters] = useState<Record<string, string>>();
  useEffect(() => {
    let current = true;
    const read = async () => {
      const found = await (record ? parametersOfRun(record.config) : currentParameters());
      if (current) setParameters(found);
    };
    void read();
    return () => {
      current = false;
    };
  }, [record]);
  return (
    <Dialog
      title={texts.dialog.title}
      explanation={record ? texts.dialog.ofRun(record.name) : texts.dialog.ofSettings}
      onClose={closeShareDialog}
    >
      {parameters && (
        <div className={styles.parts}>
          {record && <Picture record={record} link={addressOf(parameters)} />}
          <Link address={addressOf(parameters)} />
          <Embedding parameters={parameters} />
        </div>
      )}
    </Dialog>
  );
}

const Link = ({ address }: { address: string }) => (
  <section className="stack" aria-labelledby="share-link">
    <h3 id="share-link">{texts.dialog.link}</h3>
    <p className="soft">{isLocal(address) ? texts.dialog.localLink : texts.dialog.linkAbout}</p>
    <Copyable label={texts.dialog.link} text={address} />
  </section>
);

/** The picture of a run, drawn when it is asked for, with an address while it is shown; or why there is none. */
function usePicture(record: RunRecord): { file?: File; url?: string; error?: string } {
  const [picture, setPicture] = useState<ReturnType<typeof usePicture>>({});
  useEffect(() => {
    let url: string | undefined;
    let current = true;
    const make = async () => {
      const { cardOf } = await import('./card/png.ts');
      const file = await cardOf(record);
      if (!current) return;
      url = URL.createObjectURL(file);
      setPicture({ file, url });
    };
    make().catch((error: unknown) => {
      if (current) setPicture({ error: error instanceof Error ? error.message : String(error) });
    });
    return () => {
      current = false;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
    // A run that trains changes all the time; the picture is of when it was asked for.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [record.id]);
  return picture;
}

/** The picture of a run, as it goes to others. */
function Picture({ record, link }: { record: RunRecord; link: string }) {
  const { file, url, error } = usePicture(record);
  const [said, setSaid] = useState('');
  const data = { title: texts.dialog.pictureTitle(record.name), ...(isLocal(link) ? {} : { url: link }) };
  const canShare = file && 'canShare' in navigator && navigator.canShare({ files: [file] });
  const copy = async () => {
    if (!file) return;
    try {
      await navigator.clipboard.write([new ClipboardItem({ [file.type]: file })]);
      setSaid(texts.dialog.copied);
    } catch {
      setSaid(texts.dialog.pictureNotCopied);
    }
  };
  return (
    <section className="stack" aria-labelledby="share-picture">
      <h3 id="share-picture">{texts.dialog.picture}</h3>
      {url !== undefined && (
        <img className={styles.picture} src={url} width={1200} height={630} alt={texts.dialog.pictureAlt} />
      )}
      <div className="row">
        <Button icon="copy" obstacle={file ? undefined : texts.dialog.drawing} onPress={() => void copy()}>
          {texts.dialog.copyPicture}
        </Button>
        <Button
          icon="download"
          kind="primary"
          obstacle={file ? undefined : texts.dialog.drawing}
          onPress={() => file && download(file.name, file.type, file)}
        >
          {texts.dialog.download}
        </Button>
        {canShare && (
          <Button
            icon="upload"
            // The person may think better of it.
            onPress={() => void navigator.share({ ...data, files: [file] }).catch(() => undefined)}
          >
            {texts.dialog.pass}
          </Button>
        )}
        <span role="status" className="soft">
          {error ?? said}
        </span>
      </div>
    </section>
  );
}

/** A card in a page of somebody else. */
function Embedding({ parameters }: { parameters: Readonly<Record<string, string>> }) {
  const [card, setCard] = useState<CardName>('pad');
  const address = new URL('embed.html', addressOf({})).href;
  const { v, ...settings } = parameters;
  // The pad's network is trained, and settings that are the defaults need no mention.
  const given = card === 'pad' || Object.keys(settings).length === 0 ? {} : { v, ...settings };
  return (
    <section className="stack" aria-labelledby="share-embed">
      <h3 id="share-embed">{texts.dialog.embed}</h3>
      <p className="soft">{texts.dialog.embedAbout}</p>
      <label className="beside">
        {texts.dialog.card}
        <select value={card} onChange={({ target }) => setCard(target.value as CardName)}>
          {CARD_NAMES.map((name) => (
            <option key={name} value={name}>
              {texts.cards[name]}
            </option>
          ))}
        </select>
      </label>
      <Copyable label={texts.dialog.snippet} text={snippetOf(card, address, given)} />
    </section>
  );
}
