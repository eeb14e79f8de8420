/** Convolutions computed by PyTorch: one that is part of the repository, and those in WGRAD_GOLDEN_DIR. */
import type { Pair } from '../../base/shape.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSafetensors, type NamedTensor } from '../../data/formats/safetensors.ts';
import { convProblem, type ConvProblem } from '../ops/conv/problem.ts';
import type { ConvTensorName } from '../ops/conv/run.ts';

const FOLDERS = [join(import.meta.dirname, '../../data/formats/fixtures'), process.env['WGRAD_GOLDEN_DIR']];

/** Paths, with names for tests. */
export const CONV_CASES: readonly { name: string; path: string }[] = FOLDERS.flatMap((folder) =>
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => /^conv.*\.safetensors$/.test(name))
        .map((name) => ({ name, path: join(folder, name) })),
);

const NAMES: readonly ConvTensorName[] = ['x', 'w', 'dy', 'y', 'dx', 'dw'];

export interface ConvCase {
  problem: ConvProblem;
  /** float32, rounded from float64. */
  tensors: Readonly<Record<ConvTensorName, NamedTensor>>;
}

/** @throws Error if a tensor is missing */
export function readConvCase(path: string): ConvCase {
  const { tensors, metadata } = readSafetensors(path, readFileSync(path));
  const found = NAMES.map((name) => {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`${path} has no ${name}`);
    return [name, tensor];
  });
  const all = Object.fromEntries(found) as Record<ConvTensorName, NamedTensor>;
  const pair = (key: string) => metadata.get(key)?.split(',').map(Number) as unknown as Pair;
  const [N, C, H, W] = all.x.shape;
  const [K, , R, S] = all.w.shape;
  const [stride, padding, dilation] = ['stride', 'padding', 'dilation'].map(pair);
  const groups = Number(metadata.get('groups'));
  return { problem: convProblem({ N, C, H, W, K, R, S, stride, padding, dilation, groups }), tensors: all };
}
