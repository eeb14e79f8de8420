/** The five networks: their layers, their training steps by every way to choose, and what these steps consist of. */
import { Failure } from '../../base/result.ts';
import { activationLayout } from '../../engine/layout.ts';
import { DEFAULT_ALGORITHM } from '../../engine/ops/conv/algorithms/index.ts';
import {
  chooseAll,
  convLayers,
  type AlgorithmSetting,
  type ConvChoices,
} from '../../engine/ops/conv/choice/layers.ts';
import { flops, problemKey, type ConvProblem, type Direction } from '../../engine/ops/conv/problem.ts';
import type { NumberType } from '../../engine/plan.ts';
import { timeSteps, Trial } from '../../engine/profile/trial.ts';
import { models } from '../../models/index.ts';
import type { Model } from '../../models/model.ts';
import type { Line, StudyContext, Time } from '../study.ts';
import { ratioTo, requireGoOn, timeOf } from '../times.ts';
import { rulingCells } from './problems.ts';
import { profileCells } from './profile.ts';
import {
  isOnMatrices,
  lossOf,
  nameOf,
  PRECISIONS,
  READINGS,
  rulingOf,
  Searches,
  type SearchVerdict,
} from './search.ts';

/** As published, and the variant for small images; those with few different convolutions first. */
const NETWORKS = [
  { title: 'AlexNet', published: 'alexnet_224', small: 'alexnet' },
  { title: 'VGG19', published: 'vgg19_224', small: 'vgg19' },
  { title: 'ResNet-50', published: 'resnet50', small: 'resnet50' },
  { title: 'SqueezeNet', published: 'squeezenet_224', small: 'squeezenet' },
  { title: 'GoogLeNet', published: 'googlenet_224', small: 'googlenet' },
];

/** Of the arithmetic of a network's convolutions, the share whose problems are searched. */
const SEARCHED = 0.7;

const BATCH = 16;
const PROCESSOR_BATCH = 2;

/** A network, and which part of it is measured. */
export interface StudyNetwork {
  title: string;
  model: Model;
  batch: number;
  /** Problems to search, at most. */
  most: number;
}

/** A problem, with the layers of the network that have it. */
interface NetworkProblem {
  layers: string[];
  problem: ConvProblem;
  directions: readonly Direction[];
}

interface Judged extends SearchVerdict {
  part: NetworkProblem;
}

/** The ways to choose whose steps are timed, by their names in figures. */
const SETTINGS = {
  base: DEFAULT_ALGORITHM,
  rules: 'rules',
  'rules, pixels': 'rules-pixels',
  predicted: 'auto',
} as const satisfies Record<string, AlgorithmSetting>;

type SettingName = keyof typeof SETTINGS | 'tuned';

export function networksFor({ device, small }: StudyContext): StudyNetwork[] {
  const slow = small || device.onProcessor;
  return NETWORKS.filter(({ title }) => !small || title === 'SqueezeNet').map(
    ({ title, published, small: name }) => ({
      title,
      model: slow ? { ...models.get(name), input: [3, 32, 32] } : models.get(published),
      batch: small ? 1 : slow ? PROCESSOR_BATCH : BATCH,
      most: small ? 2 : Infinity,
    }),
  );
}

/** What an earlier run reported of a network in one precision; undefined if it did not get to the end of it. */
export function finishedLines(
  known: readonly Line[],
  { title }: StudyNetwork,
  number: NumberType,
): Line[] | undefined {
  const isOf = (line: Line) =>
    'bar' in line
      ? line.case === title && number === 'f32'
      : line.cells['network'] === title && (line.cells['precision'] ?? PRECISIONS.f32) === PRECISIONS[number];
  const own = known.filter(isOf);
  const last = number === 'f32' ? 'networks' : 'totals';
  return own.some(({ figure }) => figure === last) ? own : undefined;
}

/** The training steps of a network, and its layers in float32. */
export async function measureNetwork(context: StudyContext, wanted: StudyNetwork): Promise<void> {
  context.progress(0, 'training steps');
  const timed = await timeFitting(context, wanted);
  const network = { ...wanted, batch: timed?.batch ?? wanted.batch };
  const searches = new Searches(context);
  const parts = await measureLayers(context, network, 'f32', searches);
  if (!timed) {
    const note = 'does not fit the memory of this device';
    context.report({
      figure: 'networks',
      cells: { network: network.title, images: imagesOf(network), batch: network.batch, note },
    });
    return;
  }
  const choices = await tune(context, network, parts, searches);
  const tuned = await timeStep(context, network, 'tuned', choices);
  reportSteps(context, network, { ...timed.times, tuned }, searches.elapsedMs);
}

/**
 * Searches the forward pass of the problems with most of the arithmetic.
 * @returns those problems
 */
export async function measureLayers(
  context: StudyContext,
  network: StudyNetwork,
  number: NumberType,
  searches: Searches,
): Promise<NetworkProblem[]> {
  const parts = searchedParts(context, network, number);
  const judged: Judged[] = [];
  for (const [i, part] of parts.entries()) {
    context.progress(0.2 + (0.3 * i) / parts.length, part.layers[0]);
    const verdict = { ...(await searches.verdict(part.problem, number)), part };
    judged.push(verdict);
    reportLayer(context, network, verdict, number);
  }
  reportTotal(context, network, judged, number);
  return parts;
}

/** The problems of a network that make up most of its arithmetic, each once, in its order. */
function searchedParts(
  { device, small }: StudyContext,
  network: StudyNetwork,
  number: NumberType,
): NetworkProblem[] {
  const { model, batch, most } = network;
  const input = [batch, ...model.input];
  const parts = new Map<string, NetworkProblem>();
  const layout = activationLayout(device, model.layers, input, number);
  for (const { layer, problem, directions } of convLayers(model.layers, input, layout)) {
    const key = problemKey(problem);
    const known = parts.get(key);
    if (known) known.layers.push(layer);
    else parts.set(key, { layers: [layer], problem, directions });
  }
  const all = [...parts.values()].slice(0, most);
  if (small) return all;
  const work = ({ layers, problem }: NetworkProblem) => layers.length * flops(problem);
  const total = all.reduce((sum, part) => sum + work(part), 0);
  let done = 0;
  const chosen = new Set<NetworkProblem>();
  for (const part of all.toSorted((a, b) => work(b) - work(a))) {
    if (done >= SEARCHED * total) break;
    done += work(part);
    chosen.add(part);
  }
  return all.filter((part) => chosen.has(part));
}

/** Steps at the largest batch that fits with every way to choose; undefined if none does. */
async function timeFitting(
  context: StudyContext,
  network: StudyNetwork,
): Promise<{ batch: number; times: Partial<Record<SettingName, Time>> } | undefined> {
  const { device } = context;
  for (let { batch } = network; batch >= 1; batch = Math.floor(batch / 2)) {
    const input = [batch, ...network.model.input];
    const lines: Line[] = [];
    const own = { ...context, report: (line: Line) => lines.push(line) };
    const times: Partial<Record<SettingName, Time>> = {};
    const made = new Map<string, SettingName>();
    try {
      for (const [way, algorithm] of Object.entries(SETTINGS) as [SettingName, AlgorithmSetting][]) {
        const choices = chooseAll(device, network.model.layers, input, { algorithm });
        const key = JSON.stringify(Object.entries(choices.layers).map(namesOf));
        const same = made.get(key);
        if (same) times[way] = times[same];
        else times[way] = await timeStep(own, { ...network, batch }, way, choices);
        made.set(key, same ?? way);
      }
      lines.forEach(context.report);
      return { batch, times };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'out-of-memory') throw error;
    }
  }
  return undefined;
}

/** What a layer computes by, whoever chose it. */
const namesOf = ([layer, chosen]: [string, ConvChoices['layers'][string]]) => [
  layer,
  ...Object.values(chosen).map(nameOf),
];

/** Times a step and reports its profile. */
async function timeStep(
  context: StudyContext,
  network: StudyNetwork,
  way: SettingName,
  choices: ConvChoices,
): Promise<Time> {
  requireGoOn(context);
  const { device, small, signal } = context;
  const { title, model, batch } = network;
  const trial = await Trial.open(device, model, { batchSize: batch, optimizer: 'sgd', choices });
  try {
    const { samples, repetitions } = await timeSteps(trial, small ? 3 : 15, () => !signal.aborted);
    requireGoOn(context);
    const cells = await profileCells(context, trial.trainer.plan, choices);
    context.report({ figure: 'profile', cells: { network: title, choices: way, ...cells } });
    return timeOf(samples, repetitions, 'wall');
  } finally {
    trial.destroy();
  }
}

/** What wins, for the problems that are searched; the rest as predicted. */
async function tune(
  context: StudyContext,
  { model, batch }: StudyNetwork,
  parts: readonly NetworkProblem[],
  searches: Searches,
): Promise<ConvChoices> {
  const choices = chooseAll(context.device, model.layers, [batch, ...model.input]);
  for (const [i, part] of parts.entries()) {
    context.progress(0.5 + (0.45 * i) / parts.length, `${part.layers[0]}, all directions`);
    for (const direction of context.small ? (['fprop'] as const) : part.directions) {
      const { best } = await searches.of(part.problem, direction, 'f32');
      if (!best) continue;
      for (const layer of part.layers) choices.layers[layer][direction] = { ...best, by: 'find' };
    }
  }
  return choices;
}

function reportLayer(
  { report }: StudyContext,
  { title }: StudyNetwork,
  verdict: Judged,
  number: NumberType,
): void {
  const { part, get, getMs, best, missing } = verdict;
  report({
    figure: 'layers',
    cells: {
      network: title,
      layer: part.layers[0],
      precision: PRECISIONS[number],
      sizes: problemKey(part.problem),
      count: part.layers.length,
      get: nameOf(get),
      wins: best ? nameOf(best) : `not measured: ${missing}`,
      best: best?.median ?? null,
      ...rulingCells(part.problem, number, verdict),
      get_loss: lossOf(getMs, best?.median),
    },
  });
}

/** Where no rule applies, the prediction counts for the rules too. */
function reportTotal(
  { report, device }: StudyContext,
  { title }: StudyNetwork,
  judged: readonly Judged[],
  number: NumberType,
): void {
  const measured = judged.filter(({ best, getMs }) => best && getMs !== undefined);
  if (measured.length === 0) return;
  const sum = (of: (one: Judged) => number) =>
    measured.reduce((total, one) => total + one.part.layers.length * of(one), 0);
  const best = sum((one) => one.best?.median ?? 0);
  const get = sum(({ getMs = 0 }) => getMs);
  const byRules = READINGS.map((reading) =>
    sum((one) => rulingOf(one.part.problem, number, one, reading).ms ?? 0),
  );
  const layers = sum(() => 1);
  const onMatrices = sum(({ best: winner }) => (winner && isOnMatrices(winner) ? 1 : 0));
  report({
    figure: 'totals',
    cells: {
      network: title,
      precision: PRECISIONS[number],
      layers,
      matrices: device.adapter.matrices ? `${onMatrices} of ${layers}` : 'not available here',
      best,
      ...Object.fromEntries(READINGS.map((reading, i) => [`${reading}_loss`, byRules[i] / best - 1])),
      get_loss: get / best - 1,
    },
  });
}

const imagesOf = ({ model: { input } }: StudyNetwork): string => `${input[1]} × ${input[2]}`;

function reportSteps(
  { report }: StudyContext,
  network: StudyNetwork,
  times: Partial<Record<SettingName, Time>>,
  searchMs: number,
): void {
  const { title, batch, model } = network;
  const base = times.base as Time;
  for (const [bar, time] of Object.entries(times)) {
    report({ figure: 'steps', case: title, bar, time, ratio: ratioTo(base, time) });
  }
  const ms = (way: SettingName) => times[way]?.median ?? null;
  const gain = (way: SettingName) => base.median / (times[way]?.median ?? NaN);
  report({
    figure: 'networks',
    cells: {
      network: title,
      images: imagesOf(network),
      batch,
      convolutions: model.layers.filter(({ op }) => op === 'conv').length,
      base: base.median,
      rules: ms('rules'),
      rules_pixels: ms('rules, pixels'),
      predicted: ms('predicted'),
      tuned: ms('tuned'),
      rules_gain: gain('rules'),
      gain: gain('predicted'),
      search: searchMs,
      note: '',
    },
  });
}
