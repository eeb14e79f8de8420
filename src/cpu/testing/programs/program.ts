/** A small WGSL program with the words that it must write. */
import type { ShaderRun } from '../run-shader.ts';

export interface Program extends ShaderRun {
  name: string;
  /** What binding 0 holds afterwards. */
  expected: readonly number[];
  /** Why WGSL allows other results. */
  open?: string;
}

interface Options {
  /** What is declared outside of `main`. */
  globals?: string;
  /** Of @workgroup_size. */
  size?: string;
  workgroups?: ShaderRun['workgroups'];
  input?: readonly number[];
  open?: string;
}

export const range = <T>(count: number, of: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => of(i));

const INPUT = range(64, (i) => i);

/**
 * A program of `main`'s statements, which write `out` and may read `input` (0, 1, 2, ... unless given), `lid`
 * (local_invocation_index) and `gid` (workgroup_id.x).
 */
export function program(
  name: string,
  body: string,
  expected: readonly number[],
  options: Options = {},
): Program {
  const { globals = '', size = '1', workgroups, input = INPUT, open } = options;
  const code = `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> input: array<u32>;
${globals}
@compute @workgroup_size(${size})
fn main(
  @builtin(local_invocation_index) lid: u32,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(global_invocation_id) at: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let gid = group.x;
${body}
}`;
  return {
    name,
    code,
    buffers: [expected.map(() => 0), input],
    expected: expected.map((one) => one >>> 0),
    ...(workgroups ? { workgroups } : {}),
    ...(open === undefined ? {} : { open }),
  };
}

/** A function that writes a number as a word. */
export const F = 'fn f(x: f32) -> u32 { return bitcast<u32>(x); }';
