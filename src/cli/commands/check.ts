import { attempt, Failure } from '../../base/result.ts';
import { datasets } from '../../data/catalogue.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import { OWN } from '../../data/own/info.ts';
import { selectImages } from '../../data/select.ts';
import { DeviceSupply } from '../../gpu/supply.ts';
import { openNodeDevice } from '../../node/gpu.ts';
import { readBytes } from '../../node/read.ts';
import { codeOf, MAX_SUBMISSION_LENGTH, readSubmission } from '../../lessons/submission.ts';
import { trainedNetworks } from '../../run/trained.ts';
import { recomputeRun, type RecomputeTools } from '../../train/recompute-run.ts';
import { inputFile, integer, optional } from '../arguments.ts';
import { command } from '../command.ts';
import { readDataset } from '../data.ts';
import { Undone } from '../undone.ts';
import { readInitialWeights } from '../weights.ts';

/** A character takes so many bytes at most. */
const BYTES = 4;

export default command({
  summary: 'Compute results of lessons again that pupils handed in, one line per run',
  positionals: [{ name: 'FILE...', summary: 'what lessons saved', required: true, many: true }],
  options: {
    'data-dir': optional(inputFile('DIR', 'folder with the data sets, each in a subfolder of its name')),
    steps: optional(integer('N', 'only the first N steps of each run', { min: 1 })),
  },
  async run({ options, positionals, print, note }) {
    const tools: RecomputeTools = {
      supply: new DeviceSupply(() => openNodeDevice({ engine: 'cpu' })),
      async dataset(name) {
        if (name === OWN) throw new Failure('not-found', 'images of one’s own are not in the file');
        return readDataset(datasets.get(name), { dataDir: options['data-dir'] });
      },
      checksum: datasetChecksum,
      select: selectImages,
      // A file names no other file.
      weights: async (name) => readInitialWeights(trainedNetworks.get(name).name),
    };
    const undone = new Undone();
    for (const file of positionals) {
      const read = await attempt(async () => {
        const bytes = await readBytes(file, BYTES * MAX_SUBMISSION_LENGTH);
        const found = await readSubmission(file, new TextDecoder().decode(bytes));
        if (!found.ok) throw new Failure(found.error.code, found.error.message, found.error.advice);
        return found.value;
      });
      if (!read.ok) {
        undone.add(read.error.message);
        continue;
      }
      const { lesson, name, wgrad, runs } = read.value;
      const about = { file, code: await codeOf(read.value), lesson: lesson.name, name };
      if (runs.length === 0) note(`${file}: there is no run in it`);
      for (const [i, run] of runs.entries())
        print({ ...about, run: i + 1, ...(await recomputeRun(run, wgrad, options.steps, tools)) });
    }
    undone.refuse('bad-file');
  },
});
