/** Addresses that restore settings. */
import { hrefOf } from '../route.ts';
import { OWN_MODEL } from '../state/own-model.ts';
import { DEFAULT_SETTINGS, formOf, type Settings } from '../state/settings.ts';
import { useApp } from '../state/store.ts';
import type { ModelFile, RunConfig } from '../../worker/api.ts';

/** The parameters of a link to settings. @param own the model, if it was built here */
export async function parametersOf(
  settings: Settings,
  own: ModelFile | undefined,
): Promise<Record<string, string>> {
  const [{ linkOf }, { compressed }] = await Promise.all([import('./link.ts'), import('./compress.ts')]);
  return linkOf(settings, own && (await compressed(JSON.stringify(own))));
}

/** Of what is set now. */
export function currentParameters(): Promise<Record<string, string>> {
  const { settings, ownModel } = useApp.getState();
  return parametersOf(settings, settings.model === OWN_MODEL ? ownModel : undefined);
}

/** Of what a run was started with. */
export function parametersOfRun(config: RunConfig): Promise<Record<string, string>> {
  const form = formOf(config);
  const own = useApp.getState().datasets.find(({ name }) => name === config.dataset)?.augmentation;
  // What its data set says anyway.
  const augmentation = Object.fromEntries(
    Object.entries(form.augmentation ?? {}).filter(
      ([name, text]) => text !== String(own?.[name as keyof typeof own] ?? 0),
    ),
  );
  const { model } = config;
  return parametersOf(
    { ...DEFAULT_SETTINGS, ...form, augmentation },
    typeof model === 'string' ? undefined : model,
  );
}

/** A link to Train, of this page wherever it is. */
export const addressOf = (
  parameters: Readonly<Record<string, string>>,
  page: string = location.href,
): string => {
  const address = new URL(page);
  address.search = '';
  address.hash = hrefOf('train', '', parameters);
  return address.href;
};

/** Whether nobody else can open an address, because it is on this machine. */
export const isLocal = (address: string): boolean =>
  /^(localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(new URL(address).hostname) ||
  address.startsWith('file:');
