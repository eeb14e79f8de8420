import { useState } from 'react';
import type { FoundReading, FoundSet, OwnRequest } from '../../../worker/api.ts';
import { OWN_SIZES } from '../../data/own-sizes.ts';
import { understandOwn } from '../../datasets.ts';
import { data } from '../../messages/en/data.tsx';
import { Button } from '../../widgets/Button.tsx';
import { Choice } from '../../widgets/Choice.tsx';
import { Select } from '../../widgets/Select.tsx';
import { ImageGrid } from './ImageGrid.tsx';

const texts = data.found;

interface ImportReviewProps {
  request: Pick<OwnRequest, 'files' | 'from'>;
  set: FoundSet;
  onUse(request: OwnRequest): void;
  onCancel(): void;
}

type Role = FoundReading['parts'][number]['role'];

/** What given files were understood as, to be corrected before it is used. */
export function ImportReview({ request, set, onUse, onCancel }: ImportReviewProps) {
  const [id, setId] = useState(set.isQuestion ? '' : set.readings[0].id);
  const [samples, setSamples] = useState(set.samples);
  const [parts, setParts] = useState<Record<string, Role>>({});
  const [size, setSize] = useState<keyof typeof OWN_SIZES>(set.isGrey ? 'grey' : 'colour');
  const reading = set.readings.find((one) => one.id === id);
  const choose = async (labels: string) => {
    setId(labels);
    setParts({});
    const other = await understandOwn({ ...request, labels });
    if (other) setSamples(other.samples);
  };
  return (
    <section className="stack" aria-label={texts.title(request.from)}>
      <p>
        <strong>{texts.title(request.from)}</strong>
      </p>
      {set.readings.length > 1 && (
        <Select
          label={texts.labels}
          value={id}
          options={[
            reading === undefined && { value: '', title: texts.choose },
            ...set.readings.map((one) => ({
              value: one.id,
              title: texts.reading(one.labelsFrom, one.classes),
            })),
          ]}
          onChange={(value) => void choose(value)}
        />
      )}
      {reading && (
        <>
          <p>
            {texts.classes(countsOf(reading, parts))} <span className="soft">{texts.damaged}</span>
          </p>
          {set.readings.length === 1 && <p className="soft">{texts.from(reading.labelsFrom)}</p>}
          {reading.assumed !== undefined && <p className="soft">{texts.assumed(reading.assumed)}</p>}
          {reading.parts
            .filter(({ name }) => name !== '')
            .map(({ name, role, images, unlabelled }) => (
              <Select
                key={name}
                label={texts.part(
                  name,
                  images.reduce((a, b) => a + b, 0),
                  unlabelled,
                )}
                value={parts[name] ?? role}
                options={texts.roles}
                disabled={images.every((count) => count === 0)}
                onChange={(value) => setParts({ ...parts, [name]: value })}
              />
            ))}
          {reading.parts.every(({ name, role }) => (parts[name] ?? role) !== 'test') && (
            <p className="soft">{texts.heldOut}</p>
          )}
          <ImageGrid samples={samples} classes={[...reading.classes]} rows={1} />
        </>
      )}
      {set.skipped > 0 && <p className="soft">{texts.skipped(set.skipped)}</p>}
      <div className="row">
        <span className="soft">{data.pictures.resize}</span>
        <Choice label={data.pictures.resize} value={size} options={data.pictures.sizes} onChange={setSize} />
      </div>
      <div className="row">
        <Button
          icon="check"
          kind="primary"
          obstacle={reading ? undefined : texts.choose}
          onPress={() => onUse({ ...request, labels: id, parts, shape: OWN_SIZES[size] })}
        >
          {texts.use}
        </Button>
        <Button icon="close" kind="quiet" onPress={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </section>
  );
}

/** The images of each class that are used. */
function countsOf(
  { classes, parts }: FoundReading,
  roles: Readonly<Record<string, Role>>,
): [string, number][] {
  const used = parts.filter(({ name, role }) => (roles[name] ?? role) !== 'unused');
  return classes.map((name, i) => [name, used.reduce((sum, { images }) => sum + images[i], 0)]);
}
