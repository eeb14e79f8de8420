/** The images that become part of a project, so that it trains as it is. */
import { Failure } from '../../base/result.ts';
import { datasets as catalogue } from '../../data/catalogue.ts';
import type { Dataset, DatasetInfo } from '../../data/dataset.ts';
import { fetchBytes } from '../../data/fetch-bytes.ts';
import { writeRecords } from '../../data/formats/records.ts';
import { EMPTY_OWN, OWN } from '../../data/own/info.ts';
import type { ExportContext, Files } from '../../exchange/exporters.ts';

/** The largest file of a data set that comes with the page. */
const MAX_BYTES = 2 ** 25;

/** The files of a data set that comes with the page. @throws Failure `download` */
export async function shippedFiles({ name, files }: DatasetInfo, pageUrl: string): Promise<Files> {
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const file of files) {
    const url = new URL(`datasets/${name}/${file.name}`, pageUrl).href;
    found.set(file.name, await fetchBytes(url, MAX_BYTES, { fetch: (...request) => fetch(...request) }));
  }
  return found;
}

/** The user's own images as files of records, and what they are. */
export function ownFiles({
  shape,
  classes,
  mean,
  std,
  all,
  train: trained,
  test,
}: Dataset): Pick<ExportContext, 'own' | 'data'> {
  // The project selects from all of them, as the run did.
  const train = all ?? trained;
  const sets = [train, ...(test ? [test] : [])];
  const { files } = EMPTY_OWN;
  const counts = { train: train.count, test: test?.count ?? 0 };
  return {
    own: { ...EMPTY_OWN, shape, classes, mean, std, counts },
    data: new Map(sets.map(({ images, labels }, i) => [files[i].name, writeRecords(images, labels)])),
  };
}

/**
 * What a project of a run on these images contains of them.
 * @param dataset the name
 * @param own the run's images, if they are the user's own. @throws Failure if they are gone or others by now
 * @param note called with why they are not in the project
 */
export async function projectData(
  dataset: string | undefined,
  { pageUrl, own, note }: { pageUrl: string; own(): Promise<Dataset>; note: (message: string) => void },
): Promise<Pick<ExportContext, 'own' | 'data'>> {
  try {
    if (dataset === OWN) return ownFiles(await own());
    if (dataset === undefined || !catalogue.has(dataset) || !catalogue.get(dataset).shipped) return {};
    return { data: await shippedFiles(catalogue.get(dataset), pageUrl) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(
      `The images are not in the project: ${error.message.replace(/\.?$/, '.')} README.md says which it needs.`,
    );
    return {};
  }
}
