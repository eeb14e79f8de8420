/** Compiles a WGSL compute shader to a WebAssembly module that runs a range of its workgroups. */
import { check } from '../check/check.ts';
import { parse } from '../wgsl/parse.ts';
import { lineAndColumn } from '../wgsl/source-error.ts';
import { encodeModule } from '../wasm/encode.ts';
import { get, i32, load, op, type Local, type WasmNode } from '../wasm/nodes.ts';
import { withoutUnused, type Statement } from '../wasm/statements.ts';
import { runInvocations } from './invocations.ts';
import { lower } from './lower.ts';
import { Races } from './races.ts';
import { REPORT_BYTES } from './report.ts';

export interface CompiledKernel {
  /** A module that exports a `Run` as "run". */
  code: Uint8Array<ArrayBuffer>;
  /** Its bindings, in the order in which their addresses and sizes are passed. */
  bindings: readonly { group: number; binding: number }[];
  workgroup: readonly [x: number, y: number, z: number];
  /** Bytes of the variables that a workgroup shares. */
  workgroupBytes: number;
  /** Bytes of memory that a thread needs to run it. */
  scratchBytes: number;
  /** Whether it must run on one thread. */
  isAtomic: boolean;
  /** If it was watched: what stands at a place in the source, for an error message. */
  lineAt?: (at: number) => string;
}

/**
 * A kernel's function. Memory at `args` holds words: the workgroups along x, y and z, then for each binding its address and
 * its bytes.
 * @param first the first workgroup to run, x before y before z
 * @param end the first one not to run
 * @param scratch memory for this thread alone
 */
export type KernelRun = (args: number, first: number, end: number, scratch: number) => void;

/** Words before those of the bindings. */
export const ARGS_HEADER = 3;

/**
 * @param shared whether the memory that it is given is shared between threads
 * @param watched for races in the memory of workgroups, and for loops that do not end: `scratch` begins with its report
 * @throws SourceError for what is wrong in the source, or not supported
 */
export function compileKernel(source: string, shared: boolean, watched = false): CompiledKernel {
  const lowered = lower(check(parse(source)), watched);
  const { workgroup, buffers, prologue, body, builtins, workgroupBytes, frameBytes, isAtomic, watch } =
    lowered;
  const parameters = ['args', 'first', 'end', 'scratch'].map((): Local => word());
  const [args, first, end, scratch] = parameters;
  const frames = word();
  const item = word();
  const set = (local: Local, value: WasmNode): Statement => ({ kind: 'set', local, value });
  const argument = (i: number) => load('i32', get(args), 4 * i, false);
  const threads = runInvocations(body, { builtins, workgroup, frameBytes, frames });
  const [x, y] = builtins.groups;
  const along = op('i32.mul', get(x), get(y));
  const again = Symbol();
  const exit = Symbol();
  const sharedBytes = Math.ceil(workgroupBytes / 16) * 16;
  const stampBytes = watch ? Races.bytesFor(sharedBytes) : 0;
  const reportBytes = watch ? REPORT_BYTES : 0;
  const loop: Statement[] = [
    {
      kind: 'if',
      condition: op('i32.ge_u', get(item), get(end)),
      yes: [{ kind: 'branch', label: exit }],
      no: [],
    },
    set(builtins.group[0], op('i32.rem_u', get(item), get(x))),
    set(builtins.group[1], op('i32.rem_u', op('i32.div_u', get(item), get(x)), get(y))),
    set(builtins.group[2], op('i32.div_u', get(item), along)),
    ...(workgroupBytes > 0
      ? [{ kind: 'fill', address: get(builtins.shared), bytes: i32(sharedBytes + stampBytes) } as const]
      : []),
    ...(watch ? [watch.races.start()] : []),
    ...threads.body,
    set(item, op('i32.add', get(item), i32(1))),
    { kind: 'branch', label: again },
  ];
  const shift = reportBytes + sharedBytes + stampBytes;
  const statements: Statement[] = [
    ...builtins.groups.map((local, i) => set(local, argument(i))),
    ...buffers.flatMap(({ address, bytes }, i) => [
      set(address, argument(ARGS_HEADER + 2 * i)),
      set(bytes, argument(ARGS_HEADER + 2 * i + 1)),
    ]),
    ...prologue,
    set(builtins.shared, op('i32.add', get(scratch), i32(reportBytes))),
    ...(watch
      ? [
          set(watch.report, get(scratch)),
          set(watch.races.stamps, op('i32.add', get(scratch), i32(reportBytes + sharedBytes))),
        ]
      : []),
    set(frames, op('i32.add', get(scratch), i32(shift))),
    set(item, get(first)),
    { kind: 'block', label: exit, body: [{ kind: 'loop', label: again, body: loop }] },
  ];
  const count = workgroup.reduce((a, b) => a * b);
  return {
    code: encodeModule({ parameters, body: withoutUnused(statements) }, shared),
    bindings: buffers.map(({ group, binding }) => ({ group, binding })),
    workgroup,
    workgroupBytes,
    scratchBytes: shift + threads.frameBytes * count,
    isAtomic,
    ...(watch ? { lineAt: (at: number) => lineAt(source, at) } : {}),
  };
}

function lineAt(source: string, at: number): string {
  const { line } = lineAndColumn(source, at);
  return `line ${line}: ${source.split('\n')[line - 1].trim()}`;
}

const word = (): Local => ({ type: 'i32', range: { min: 0, max: 2 ** 32 - 1 } });
