/** What the engine knows of a request. */
import type { ConvSetting } from '../../engine/ops/conv/algorithm.ts';
import { convProblem } from '../../engine/ops/conv/problem.ts';
import type { Device } from '../../gpu/device.ts';
import type { FindRequest } from '../api.ts';

/** @throws Failure `bad-input` if the sizes do not fit together */
export const settingOf = (
  device: Device,
  { sizes, workspace, number, launchSize }: FindRequest,
): ConvSetting => ({ device, problem: convProblem(sizes), workspace, number, launchSize });
