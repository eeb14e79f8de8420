/** Writes WebAssembly modules (https://webassembly.github.io/spec/core/binary/modules.html). */
import type { Local, MathFunction, WasmNode } from './nodes.ts';
import { codeOf, LANE_OPS, LOADS, signed, STORES, unsigned, type ValueType } from './opcodes.ts';
import type { Label, Statement } from './statements.ts';

/** A function of i32 parameters that returns nothing. */
export interface WasmFunction {
  parameters: readonly Local[];
  body: readonly Statement[];
}

const TYPE_CODES: Readonly<Record<ValueType, number>> = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b };
const PAGES = 65536;

/** How many operands each function of Math takes. */
const MATH: Readonly<Record<MathFunction, number>> = { exp: 1, log: 1, pow: 2, sin: 1, cos: 1, tanh: 1 };

const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const list = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const text = (word: string): number[] => sized([...new TextEncoder().encode(word)]);

/**
 * A module that exports the function as "run". It imports "env"."memory", shared or not, and from "Math" what it calls.
 */
export function encodeModule({ parameters, body }: WasmFunction, shared: boolean): Uint8Array<ArrayBuffer> {
  const encoder = new FunctionEncoder(parameters);
  const { locals, code } = encoder.encode(body);
  const functions = [...encoder.called.keys()];
  const types = [
    [0x60, ...list(parameters.map(({ type }) => [TYPE_CODES[type]])), 0],
    [0x60, ...list([[TYPE_CODES.f64]]), ...list([[TYPE_CODES.f64]])],
    [0x60, ...list([[TYPE_CODES.f64], [TYPE_CODES.f64]]), ...list([[TYPE_CODES.f64]])],
  ];
  const limits = shared ? [3, 0, ...unsigned(PAGES)] : [0, 0];
  const imports = [
    [...text('env'), ...text('memory'), 2, ...limits],
    ...functions.map((name) => [...text('Math'), ...text(name), 0, MATH[name]]),
  ];
  const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
  // A kernel has a hundred kilobytes of code: it is copied once.
  const codeBytes = locals.length + code.length;
  const ofFunction = [1, ...unsigned(codeBytes)];
  const start = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list(imports)),
    ...section(3, list([[0]])),
    ...section(7, list([[...text('run'), 0, functions.length]])),
    10,
    ...unsigned(ofFunction.length + codeBytes),
    ...ofFunction,
    ...locals,
  ];
  const bytes = new Uint8Array(start.length + code.length);
  bytes.set(start);
  bytes.set(code, start.length);
  return bytes;
}

class FunctionEncoder {
  /** Functions of Math, by where they are in the list of imports. */
  readonly called = new Map<MathFunction, number>();
  private readonly indices = new Map<Local, number>();
  private readonly locals: ValueType[] = [];
  private readonly labels: (Label | undefined)[] = [];
  private readonly output: number[] = [];

  constructor(private readonly parameters: readonly Local[]) {
    parameters.forEach((local, i) => this.indices.set(local, i));
  }

  encode(body: readonly Statement[]): { locals: readonly number[]; code: readonly number[] } {
    this.statements(body);
    this.output.push(0x0b);
    return { locals: list(this.locals.map((type) => [1, TYPE_CODES[type]])), code: this.output };
  }

  private statements(body: readonly Statement[]): void {
    for (const statement of body) this.statement(statement);
  }

  private statement(statement: Statement): void {
    const { output } = this;
    switch (statement.kind) {
      case 'set':
        this.node(statement.value);
        output.push(0x21);
        this.unsigned(this.indexOf(statement.local));
        break;
      case 'store': {
        this.node(statement.address);
        this.node(statement.value);
        const { code, align } = STORES[statement.value.type as keyof typeof STORES];
        output.push(...code, align);
        this.unsigned(statement.offset);
        break;
      }
      case 'fill':
        this.node(statement.address);
        output.push(0x41, 0);
        this.node(statement.bytes);
        output.push(0xfc, 0x0b, 0);
        break;
      case 'if':
        this.node(statement.condition);
        output.push(0x04, 0x40);
        this.nested(undefined, statement.yes);
        if (statement.no.length > 0) {
          output.push(0x05);
          this.nested(undefined, statement.no);
        }
        output.push(0x0b);
        break;
      case 'block':
      case 'loop':
        output.push(statement.kind === 'block' ? 0x02 : 0x03, 0x40);
        this.nested(statement.label, statement.body);
        output.push(0x0b);
        break;
      case 'branch':
        output.push(0x0c, ...unsigned(this.labels.length - 1 - this.labels.lastIndexOf(statement.label)));
        break;
      case 'trap':
        output.push(0x00);
        break;
      case 'barrier':
        throw new Error('wgrad bug: a barrier was left in a kernel');
    }
  }

  private nested(label: Label | undefined, body: readonly Statement[]): void {
    this.labels.push(label);
    this.statements(body);
    this.labels.pop();
  }

  private node(node: WasmNode): void {
    const { output } = this;
    if (node.kind === 'math') {
      for (const arg of node.args) {
        this.node(arg);
        output.push(...codeOf('f64.promote_f32'));
      }
      const index = this.called.get(node.function) ?? this.called.size;
      this.called.set(node.function, index);
      output.push(0x10, ...unsigned(index));
      return;
    }
    if (node.kind === 'broadcast') {
      // A shuffle of the vector with itself: the bytes of the lane.
      this.node(node.args[0]);
      this.node(node.args[0]);
      const first = 4 * node.lane;
      for (let i = 0; i < 16; i++) shuffled[i] = first + (i % 4);
      output.push(0xfd, 0x0d, ...shuffled);
      return;
    }
    if (node.kind === 'op' && node.op === 'f32x4.splat' && node.args[0].kind === 'load') {
      // One instruction loads a number four times.
      this.node(node.args[0].args[0]);
      output.push(0xfd, 0x09, LOADS.f32.align, ...unsigned(node.args[0].offset));
      return;
    }
    if ('args' in node) for (const arg of node.args) this.node(arg);
    switch (node.kind) {
      case 'const':
        if (node.type === 'i32') output.push(0x41, ...signed(node.value));
        else {
          output.push(0x43);
          this.float(node.value);
        }
        break;
      case 'vector':
        output.push(0xfd, 0x0c);
        for (const lane of node.lanes) this.float(lane);
        break;
      case 'get':
        output.push(0x20);
        this.unsigned(this.indexOf(node.local));
        break;
      case 'op':
        output.push(...codeOf(node.op));
        break;
      case 'lane':
        output.push(...LANE_OPS[node.op].code, node.lane);
        break;
      case 'select':
        if (node.type === 'v128') output.push(0x1c, 1, TYPE_CODES.v128);
        else output.push(0x1b);
        break;
      case 'load': {
        const { code, align } = LOADS[node.type as keyof typeof LOADS];
        output.push(...code, align);
        this.unsigned(node.offset);
      }
    }
  }

  private unsigned(value: number): void {
    // Most are small: a byte.
    if (value < 128) this.output.push(value);
    else this.output.push(...unsigned(value));
  }

  private float(value: number): void {
    bits.setFloat32(0, value, true);
    for (let i = 0; i < 4; i++) this.output.push(bits.getUint8(i));
  }

  private indexOf(local: Local): number {
    let index = this.indices.get(local);
    if (index === undefined) {
      index = this.parameters.length + this.locals.length;
      this.indices.set(local, index);
      this.locals.push(local.type);
    }
    return index;
  }
}

const shuffled = new Uint8Array(16);

/** The bytes of a number. */
const bits = new DataView(new ArrayBuffer(4));
