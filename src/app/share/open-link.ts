/** A link that somebody follows: read as far as it can be, and taken. Neither starts anything. */
import type { ModelFile } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { share as texts } from '../messages/en/share.tsx';
import { OWN_MODEL } from '../state/own-model.ts';
import { useApp } from '../state/store.ts';
import { expanded } from './compress.ts';
import { readLink, type Names, type ReadLink } from './link.ts';

export interface OpenedLink extends Pick<ReadLink, 'settings' | 'lines' | 'mistakes'> {
  /** The built model that travelled in it. */
  model: ModelFile | undefined;
}

/** Never throws: what is wrong is reported, and the rest is read. */
export async function openLink(
  parameters: Readonly<Record<string, string>>,
  names: Names,
): Promise<OpenedLink> {
  const { model: code, ...read } = readLink(parameters, names);
  if (code === undefined) return { ...read, model: undefined };
  const text = await expanded(code);
  const model = text === undefined ? undefined : await ask((api) => api.builder.readModel('net', text));
  if (!model?.ok) {
    const wrong = model ? model.error.message : texts.link.damaged;
    return { ...read, model: undefined, mistakes: [...read.mistakes, `net: ${wrong}.`] };
  }
  const { value } = model;
  const settings = { ...read.settings, model: OWN_MODEL };
  return {
    ...read,
    model: value,
    settings,
    lines: [{ title: texts.link.model, value: value.title }, ...read.lines],
  };
}

/** Sets what the link says. */
export function takeLink({ settings, model }: OpenedLink): void {
  const { change, setOwnModel } = useApp.getState();
  if (model) setOwnModel(model);
  change(settings);
}
