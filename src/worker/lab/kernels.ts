/** The WGSL of a launch, for display. */
import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import { convAlgorithms } from '../../engine/ops/conv/algorithms/index.ts';
import { barePlan, launchesOf, whyNot } from '../../engine/ops/conv/run.ts';
import type { DispatchSpec } from '../../engine/plan.ts';
import type { Device } from '../../gpu/device.ts';
import { KernelCache } from '../../gpu/kernels.ts';
import { filesOf, link } from '../../gpu/link.ts';
import { fetchShaders } from '../../gpu/sources.ts';
import type { ConvChoice, FindRequest, KernelText } from '../api.ts';
import { settingOf } from './setting.ts';

const reading = lazily(async () => {
  // Some texts are computed with the others.
  await fetchShaders();
  return import('../../gpu/whole-sources.ts');
});

/**
 * The dispatches of one launch.
 * @throws Failure `not-found` if the algorithm has no such launch here
 */
function dispatchesOf(
  device: Device,
  request: FindRequest,
  { algorithm: name, launch: wanted }: ConvChoice,
): readonly DispatchSpec[] {
  const { direction } = request;
  const setting = settingOf(device, request);
  const algorithm = convAlgorithms.get(name);
  const reason = whyNot(algorithm, setting, direction);
  if (reason !== undefined) throw new Failure('not-found', `${name} is not available: ${reason}`);
  const launch = launchesOf(algorithm, setting, direction).find((one) => one.name === wanted);
  if (!launch) throw new Failure('not-found', `${name} has no variant "${wanted}" for this problem`);
  return barePlan(setting, direction, launch).added;
}

/** The launches of some algorithms that are built from one of these files. */
export async function launchesBuiltFrom(
  device: Device,
  request: FindRequest,
  algorithms: readonly string[],
  files: readonly string[],
): Promise<ConvChoice[]> {
  const { wholeSource } = await reading();
  const { direction } = request;
  const setting = settingOf(device, request);
  const known = algorithms.filter(
    (name) => whyNot(convAlgorithms.get(name), setting, direction) === undefined,
  );
  return known.flatMap((algorithm) =>
    launchesOf(convAlgorithms.get(algorithm), setting, direction)
      .map(({ name }): ConvChoice => ({ algorithm, launch: name }))
      .filter((choice) =>
        dispatchesOf(device, request, choice).some(({ kernel }) =>
          filesOf(kernel.shader, wholeSource).some((file) => files.includes(file)),
        ),
      ),
  );
}

/**
 * Compiles the kernels of one launch with edited files, apart from those that anything else uses.
 * @throws Failure `not-found`, or `shader` with the compiler's messages
 */
export async function checkWgsl(
  device: Device,
  request: FindRequest,
  choice: ConvChoice,
  edits: Readonly<Record<string, string>>,
): Promise<void> {
  const { wholeSource } = await reading();
  const specs = dispatchesOf(device, request, choice);
  const kernels = new KernelCache(device, (file) => edits[file] ?? wholeSource(file));
  try {
    for (const { kernel } of specs) await kernels.get(kernel);
  } catch (error) {
    // Edited files can break every assumption of the linker.
    throw error instanceof Failure ? error : new Failure('shader', (error as Error).message);
  }
}

/**
 * The kernels of one launch in the order of their first use.
 * @param edits texts that replace files, by file name
 * @throws Failure `not-found` if the algorithm has no such launch here, `shader` if an edited file cannot be linked
 */
export async function kernelTexts(
  device: Device,
  request: FindRequest,
  choice: ConvChoice,
  edits: Readonly<Record<string, string>>,
): Promise<KernelText[]> {
  const { wholeSource } = await reading();
  const specs = dispatchesOf(device, request, choice);
  const read = (file: string) => edits[file] ?? wholeSource(file);
  const texts = new Map<string, KernelText>();
  for (const { label, kernel } of specs) {
    const constants = { ...kernel.constants };
    const key = `${kernel.shader}|${JSON.stringify(constants)}`;
    const known = texts.get(key);
    if (known) {
      if (!known.dispatches.includes(label)) known.dispatches.push(label);
      continue;
    }
    texts.set(key, {
      shader: kernel.shader,
      dispatches: [label],
      files: filesOf(kernel.shader, read).map((file) => ({ name: file, text: read(file) })),
      linked: linkedText(kernel.shader, constants, read),
      constants,
    });
  }
  return [...texts.values()];
}

/** The compiler's input, or why an edited file cannot be linked. */
function linkedText(
  shader: string,
  constants: KernelText['constants'],
  read: (file: string) => string,
): string {
  try {
    return link(shader, constants, read).code;
  } catch (error) {
    // With unedited files this is a bug; an edited one may lack anything.
    return `// Link error: ${(error as Error).message}`;
  }
}
