import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { Part } from '../part.ts';

const room = lazily(() => import('./studies.ts'));

const studiesPart: Part<'studies'> = ({ events, gpu, supply }) => ({
  studyList: () => attempt(async () => (await room()).studyList()),
  studyElsewhere: (name) => attempt(async () => (await room()).resultsElsewhere(name)),
  runStudy: (name, small) =>
    attempt(() =>
      gpu.run('Studies', async (signal) => {
        const { runStudy } = await room();
        const { seconds } = await runStudy(name, {
          device: await supply.get(),
          small,
          signal,
          report: (line) => events.send({ type: 'study', study: name, step: 'line', line }),
          progress: (share, doing) =>
            events.send({ type: 'study', study: name, step: 'progress', share, doing }),
        });
        return seconds;
      }),
    ),
  cancelStudy: async () => gpu.cancel(),
});

export default studiesPart;
