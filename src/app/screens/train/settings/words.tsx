/** What is said of a setting; fetched when somebody asks. */
import { differencesOf } from '../../../../run/settings/differences.ts';
import { EVERYDAY_SETTINGS } from '../../../../run/settings/everyday.ts';
import { HINTS } from '../../../../run/settings/hints.ts';
import { settingOf, type SettingKey } from '../../../../run/settings/table.ts';
import { termHref } from '../../../glossary-link.ts';
import { help as texts } from '../../../messages/en/help.tsx';

/** In everyday words. */
export const Everyday = ({ name }: { name: SettingKey }) => EVERYDAY_SETTINGS[name];

export const SettingHint = ({ name, more }: { name: SettingKey; more: string }) => (
  <>
    {HINTS[name]}
    {more}
    {differencesOf(name) !== '' && (
      <>
        {' '}
        <a href={termHref(settingOf(name).title)}>{texts.glossary.differs}</a>
      </>
    )}
  </>
);
