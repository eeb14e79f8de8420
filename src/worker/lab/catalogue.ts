/** The content of the Lab. */
import { convAlgorithms, DEFAULT_ALGORITHM } from '../../engine/ops/conv/algorithms/index.ts';
import { ladder } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import { convLayers } from '../../engine/ops/conv/choice/layers.ts';
import { launchesOf } from '../../engine/ops/conv/run.ts';
import type { Device } from '../../gpu/device.ts';
import ece408 from '../../models/ece408_48.ts';
import { type Suite, suiteCases, suites } from '../../models/suites.ts';
import type { ConvSuite, FindRequest, LabCatalogue, LadderStep } from '../api.ts';
import { settingOf } from './setting.ts';

/** In the page's order. */
const SUITES = ['awnn', 'alexnet', 'vgg19', 'googlenet', 'resnet50', 'squeezenet', 'resnet20', 'layers'];

const LADDER = 'direct';

/** The convolutions that a course project optimises step by step. */
const ladderLayers = () =>
  convLayers(ece408.layers, [1, ...ece408.input]).map(({ layer, problem }) => {
    const { K, R, S } = problem;
    return { name: `${layer}: ${K} filters of ${R} × ${S}`, sizes: problem };
  });

export const labCatalogue = (): LabCatalogue => ({
  algorithms: convAlgorithms.all().map(({ name, summary }) => ({ name, summary })),
  defaultAlgorithm: DEFAULT_ALGORITHM,
  suites: SUITES.map((name) => suiteEntry(suites.get(name))),
  ladder: { algorithm: LADDER, layers: ladderLayers() },
});

function suiteEntry(suite: Suite): ConvSuite {
  const { name, title, description, batches } = suite;
  const layers = suiteCases(suite).map((one) => {
    const { N, K } = one.problem;
    const more = one.layers.length - 1;
    const own = batches ? `N ${N}, K ${K}` : more > 0 ? `${one.name} and ${more} more` : one.name;
    return { name: own, count: one.layers.length, sizes: one.problem };
  });
  return { name, title, description, layers, fixed: batches !== undefined };
}

/** The available steps of the ladder for each request. */
export const ladderSteps = (device: Device, requests: readonly FindRequest[]): LadderStep[][] =>
  requests.map((request) => {
    const { direction } = request;
    const launches = launchesOf(convAlgorithms.get(LADDER), settingOf(device, request), direction);
    return ladder(
      direction,
      launches.map(({ name }) => name),
    );
  });
