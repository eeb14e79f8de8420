import { datasetChecksum } from '../../data/checksum.ts';
import { selectImages } from '../../data/select.ts';
import { codeOf, fingerprintOf, handInOf, handInText } from '../../run/handed-in/format.ts';
import { computeAgain } from '../../train/compute-again.ts';
import type { WorkerPart } from '../part.ts';
import { handedRun } from './handed-run.ts';
import { readHandIns } from './read-files.ts';

const handingInPart: WorkerPart<'handing-in'> = (services) => ({
  handedRun: (...asked) => handedRun(services, ...asked),
  async handInFile(parts) {
    const handIn = handInOf(parts);
    return { text: handInText(handIn), code: await codeOf(handIn) };
  },
  fingerprint: fingerprintOf,
  readHandIns,
  computeAgain: (run, version, most) =>
    computeAgain(run, version, most, {
      open: () => services.engines.open('cpu'),
      dataset: (name) => services.datasets.get(name),
      checksum: datasetChecksum,
      select: selectImages,
      weights: services.shipped,
      onSteps: (done) => services.events.send({ type: 'again', done }),
    }),
});

export default handingInPart;
