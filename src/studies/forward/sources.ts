/** The code of each step: the loops on the CPU, and the shaders of the second convolution's kernels. */
import { lazily } from '../../base/lazily.ts';
import { ladder } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { convLayers } from '../../engine/ops/conv/choice/layers.ts';
import { barePlan, DEFAULT_WORKSPACE, launchesOf } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import { filesOf } from '../../gpu/link.ts';
import { fetchShaders } from '../../gpu/sources.ts';
import type { StudySource } from '../study.ts';
import { MODEL } from './sets.ts';
import { LOOPS } from './steps.ts';

const wholeTexts = lazily(async () => {
  // Some texts are computed with the others.
  await fetchShaders();
  return import('../../gpu/whole-sources.ts');
});
const loops = import.meta.glob<string>('/src/engine/ops/conv/loops.ts', { query: '?raw', import: 'default' });

export async function stepSources(device: Device): Promise<StudySource[]> {
  const [loopsText] = await Promise.all(Object.values(loops).map((load) => load()));
  const sources: StudySource[] = [
    {
      name: LOOPS,
      explanation: 'Seven nested loops on one core, straight from the definition.',
      language: 'TypeScript',
      text: loopsText,
    },
  ];
  const { wholeSource } = await wholeTexts();
  // Every step, of whichever layer has it.
  for (const { problem } of convLayers(MODEL.layers, [1, ...MODEL.input])) {
    const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' as const };
    const all = launchesOf(convAlgorithms.get('direct'), setting, 'fprop');
    const rungs = ladder(
      'fprop',
      all.map(({ name }) => name),
    );
    for (const { step, why, launches } of rungs) {
      const launch = all.find(({ name }) => name === launches[0]);
      if (!launch || sources.some(({ name }) => name === step)) continue;
      const text = barePlan(setting, 'fprop', launch).kernels.map(({ shader, constants = {} }) => {
        const values = Object.entries(constants).map(([name, value]) => `${name} ${String(value)}`);
        const files = filesOf(shader, wholeSource).map(
          (file) => `// shaders/${file}.wgsl\n${wholeSource(file)}`,
        );
        return `// Here with ${values.join(', ')}\n${files.join('\n')}`;
      });
      sources.push({ name: step, explanation: why, language: 'WGSL', text: text.join('\n') });
    }
  }
  return sources;
}
