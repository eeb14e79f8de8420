import { useEffect, useState } from 'react';
import { Button } from '../../../widgets/Button.tsx';
import { Facts } from '../../../widgets/Facts.tsx';
import { Notice } from '../../../widgets/Notice.tsx';
import { prose } from '../../../format.ts';
import { share } from '../../../messages/en/share.tsx';
import { hrefOf, note, useHash, useRoute } from '../../../route.ts';
import { openLink, takeLink, type OpenedLink } from '../../../share/open-link.ts';
import type { TakenLink } from '../../../state/settings.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import { hasOwnSettings, noteLinked } from './own-settings.ts';

const texts = share.link;

/** What a link sets that was opened, or would set. Nothing starts. */
export function LinkNotice() {
  const { parameters } = useRoute();
  const taken = useApp((state) => state.takenLink);
  if ('v' in parameters) return <Opened parameters={parameters} />;
  return taken && <Taken link={taken} />;
}

/** A link without mistakes is taken at once by whoever has no settings to lose. Otherwise, it is asked for. */
function Opened({ parameters }: { parameters: Readonly<Record<string, string>> }) {
  const link = useLink(parameters);
  const asks = useApp((state) => link && (link.mistakes.length > 0 || hasOwnSettings(state, link.model)));
  useEffect(() => {
    if (!link || asks) return;
    const { settings, ownModel } = useApp.getState();
    take(link);
    useApp.setState({ takenLink: { lines: link.lines, before: { settings, ownModel } } });
  }, [link, asks]);
  return link && asks ? <Offered link={link} /> : null;
}

const leave = () => note(hrefOf('train'));

function take(link: OpenedLink): void {
  takeLink(link);
  noteLinked(useApp.getState().settings);
  leave();
}

function Offered({ link }: { link: OpenedLink }) {
  const open = useApp((state) => runIsOpen(state.runState));
  const { lines, mistakes } = link;
  // Applying it would set everything to its default, which nobody asked for.
  const isUseless = mistakes.length > 0 && lines.length === 0;
  return (
    <Notice
      kind={mistakes.length > 0 ? 'warning' : 'info'}
      role="status"
      title={isUseless ? texts.useless : mistakes.length > 0 ? texts.some : texts.offered}
      actions={
        <>
          {!isUseless && (
            <Button icon="check" kind="primary" onPress={() => take(link)}>
              {texts.apply}
            </Button>
          )}
          <Button icon="close" onPress={leave}>
            {texts.keep}
          </Button>
        </>
      }
    >
      {mistakes.length > 0 && (
        <ul>
          {mistakes.map((mistake) => (
            <li key={mistake}>{prose(mistake)}</li>
          ))}
        </ul>
      )}
      <Lines lines={lines} />
      {!isUseless && (
        <p>
          {lines.length > 0 ? texts.others : texts.defaults} {texts.startsLater}
          {open && ` ${texts.runKeeps}`}
        </p>
      )}
    </Notice>
  );
}

const forget = () => useApp.setState({ takenLink: undefined });

/** What was set without a question, and the way back, until a run starts. */
function Taken({ link: { lines, before } }: { link: TakenLink }) {
  const open = useApp((state) => runIsOpen(state.runState));
  useEffect(() => {
    if (open) forget();
  }, [open]);
  const undo = () => {
    const { change, setOwnModel } = useApp.getState();
    setOwnModel(before.ownModel);
    change(before.settings);
    forget();
  };
  return (
    <Notice
      kind="info"
      role="status"
      title={texts.taken}
      actions={
        <Button icon="undo" onPress={undo}>
          {texts.undo}
        </Button>
      }
      onDismiss={forget}
    >
      <p>
        {lines.length > 0 && `${lines.map(({ title, value }) => `${title} ${value}`).join(' · ')}. `}
        {lines.length > 0 ? texts.others : texts.defaults} {texts.startsLater}
      </p>
    </Notice>
  );
}

const Lines = ({ lines }: Pick<OpenedLink, 'lines'>) =>
  lines.length > 0 && <Facts of={lines.map(({ title, value }) => [title, value])} />;

/** What the link in the address says; undefined until it is read. */
function useLink(parameters: Readonly<Record<string, string>>): OpenedLink | undefined {
  const hash = useHash();
  const isLoaded = useApp(({ models }) => models.length > 0);
  const [read, setRead] = useState<{ hash: string; link: OpenedLink }>();
  useEffect(() => {
    if (!isLoaded) return undefined;
    let current = true;
    const show = async () => {
      const link = await openLink(parameters, useApp.getState());
      if (current) setRead({ hash, link });
    };
    void show();
    return () => {
      current = false;
    };
  }, [hash, parameters, isLoaded]);
  return read?.hash === hash ? read.link : undefined;
}
