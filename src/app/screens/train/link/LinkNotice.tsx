import { useEffect, useMemo, useState } from 'react';
import type { Result } from '../../../../base/result.ts';
import type { ModelFile } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { Button } from '../../../widgets/Button.tsx';
import { Facts } from '../../../widgets/Facts.tsx';
import { Notice } from '../../../widgets/Notice.tsx';
import { prose } from '../../../format.ts';
import { hrefOf, note, useRoute } from '../../../route.ts';
import { expanded } from '../../../share/compress.ts';
import { readLink } from '../../../share/link.ts';
import { OWN_MODEL } from '../../../state/own-model.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp } from '../../../state/store.ts';
import { changes as texts } from '../../../messages/changes.ts';

/** What a link that was opened would set. Nothing is set, and nothing starts, until it is asked for. */
export function LinkNotice() {
  const { parameters } = useRoute();
  const models = useApp((state) => state.models);
  const datasets = useApp((state) => state.datasets);
  const open = useApp((state) => runIsOpen(state.runState));
  const read = useMemo(() => readLink(parameters, { models, datasets }), [parameters, models, datasets]);
  const model = useModel(read.model);
  if (models.length === 0 || (read.model !== undefined && model === undefined)) return null;
  const mistakes = [...read.mistakes, ...(model && !model.ok ? [`net: ${model.error.message}.`] : [])];
  const lines = [
    ...(model?.ok ? [{ title: texts.link.model, value: model.value.title }] : []),
    ...read.lines,
  ];
  const leave = () => note(hrefOf('train'));
  const use = () => {
    const { change, setOwnModel } = useApp.getState();
    if (model?.ok) setOwnModel(model.value);
    change({ ...read.settings, ...(model?.ok ? { model: OWN_MODEL } : {}) });
    leave();
  };
  // Applying it would set everything to its default, which nobody asked for.
  const isUseless = mistakes.length > 0 && lines.length === 0;
  return (
    <Notice
      kind={mistakes.length > 0 ? 'warning' : 'info'}
      title={isUseless ? texts.link.invalid : mistakes.length > 0 ? texts.link.partlyValid : texts.link.valid}
      actions={
        <>
          {!isUseless && (
            <Button icon="check" kind="primary" onPress={use}>
              {texts.link.apply}
            </Button>
          )}
          <Button icon="close" onPress={leave}>
            {texts.link.keep}
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
      {lines.length > 0 && <Facts of={lines.map(({ title, value }) => [title, value])} />}
      {!isUseless && (
        <p>
          {lines.length > 0 ? texts.link.others : texts.link.all} {texts.link.waits}
          {open && ` ${texts.link.open}`}
        </p>
      )}
    </Notice>
  );
}

/** The built model that travels in a link, checked; undefined while there is none or it is not read yet. */
function useModel(code: string | undefined): Result<ModelFile> | undefined {
  const [read, setRead] = useState<{ code: string; answer: Result<ModelFile> }>();
  useEffect(() => {
    if (code === undefined) return undefined;
    let current = true;
    const find = async (): Promise<Result<ModelFile>> => {
      const text = await expanded(code);
      if (text !== undefined) return ask((api) => api.builder.readModel(texts.link.inLink, text));
      return { ok: false, error: { code: 'bad-file', message: texts.link.corrupted } };
    };
    const show = async () => {
      const answer = await find();
      if (current) setRead({ code, answer });
    };
    void show();
    return () => {
      current = false;
    };
  }, [code]);
  return read?.code === code ? read?.answer : undefined;
}
