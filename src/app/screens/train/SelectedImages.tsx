import { heldBack, trainedOn } from '../../../run/settings/rules.ts';
import { parseSetting } from '../../../run/settings/text.ts';
import { data as texts } from '../../messages/en/data.tsx';
import { useApp } from '../../state/store.ts';

/** What the settings select of the training images, if it is not all of them with their own labels. */
export function SelectedImages({ count }: { count: number }) {
  const settings = useApp((state) => state.settings);
  const [trainImages, validation, wrongLabels] = (['trainImages', 'validation', 'wrongLabels'] as const).map(
    (key) => {
      const read = parseSetting(key, settings[key].trim(), 'page');
      return read.ok ? Number(read.value) : 0;
    },
  );
  const held = heldBack(count, { validation });
  const trained = trainedOn(count, { validation, ...(trainImages > 0 ? { trainImages } : {}) });
  if (trained === count && wrongLabels === 0) return null;
  return <> {texts.drawer.selected(trained, held, Math.round(wrongLabels * trained))}</>;
}
