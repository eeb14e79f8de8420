/** The code of each step: the loops on the CPU, and the shaders of the second convolution's kernels. */
import { lazily } from '../../base/lazily.ts';
import type { ConvSetting, Launch } from '../../engine/ops/conv/algorithm.ts';
import { ladder } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { loops } from '../../engine/ops/conv/loops.ts';
import { barePlan, DEFAULT_WORKSPACE, launchesOf } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import { filesOf } from '../../gpu/link.ts';
import { fetchShaders } from '../../gpu/sources.ts';
import type { StudySource } from '../study.ts';
import { problemsFor } from './network.ts';
import { LOOPS } from './published.ts';

const wholeTexts = lazily(async () => {
  // Some texts are computed with the others.
  await fetchShaders();
  return import('../../gpu/whole-sources.ts');
});

export async function stepSources(device: Device): Promise<StudySource[]> {
  const { wholeSource } = await wholeTexts();
  const [, problem] = problemsFor(1);
  const setting: ConvSetting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' };
  const textOf = (launch: Launch<'fprop'>): string =>
    barePlan(setting, 'fprop', launch)
      .kernels.map(({ shader, constants = {} }) => {
        const values = Object.entries(constants).map(([name, value]) => `${name} ${String(value)}`);
        const files = filesOf(shader, wholeSource).map(
          (file) => `// shaders/${file}.wgsl\n${wholeSource(file)}`,
        );
        return `// Here with ${values.join(', ')}\n${files.join('\n')}`;
      })
      .join('\n');
  const launches = launchesOf(convAlgorithms.get('direct'), setting, 'fprop');
  const rungs = ladder(
    'fprop',
    launches.map(({ name }) => name),
  );
  return [
    {
      name: LOOPS,
      explanation: 'Seven nested loops on one core, straight from the definition.',
      language: 'WGSL',
      text: textOf(loops(setting, 'fprop')),
    },
    ...rungs.flatMap(({ step, why, launches: [first] }): StudySource[] => {
      const launch = launches.find(({ name }) => name === first);
      return launch ? [{ name: step, explanation: why, language: 'WGSL', text: textOf(launch) }] : [];
    }),
  ];
}
