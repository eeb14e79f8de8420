/** Writes WebAssembly modules (https://webassembly.github.io/spec/core/binary/modules.html). */
import { mathBody, operandsOf } from './math.ts';
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

const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const list = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const text = (word: string): number[] => sized([...new TextEncoder().encode(word)]);

/**
 * A module that exports the function as "run", and has the functions of math.ts that it calls. It imports "env"."memory",
 * shared or not.
 */
export function encodeModule({ parameters, body }: WasmFunction, shared: boolean): Uint8Array<ArrayBuffer> {
  const encoder = new FunctionEncoder(parameters);
  const { locals, code } = encoder.encode(body);
  const functions = [...encoder.called.keys()];
  const float = [TYPE_CODES.f32];
  const types = [
    [0x60, ...list(parameters.map(({ type }) => [TYPE_CODES[type]])), 0],
    [0x60, ...list([float]), ...list([float])],
    [0x60, ...list([float, float]), ...list([float])],
  ];
  const own = functions.flatMap((name) => {
    const { parameters: operands, body: statements, result } = mathBody(name);
    const made = new FunctionEncoder(operands).encode(statements, result);
    return sized([...made.locals, ...made.code]);
  });
  const limits = shared ? [3, 0, ...unsigned(PAGES)] : [0, 0];
  const imports = [[...text('env'), ...text('memory'), 2, ...limits]];
  const section = (id: number, bytes: readonly number[]) => [id, ...sized(bytes)];
  // A kernel has a hundred kilobytes of code: it is copied once.
  const codeBytes = locals.length + code.length;
  const ofFunction = [1 + functions.length, ...unsigned(codeBytes)];
  const start = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types)),
    ...section(2, list(imports)),
    ...section(3, list([[0], ...functions.map((name) => [operandsOf(name)])])),
    ...section(7, list([[...text('run'), 0, 0]])),
    10,
    ...unsigned(ofFunction.length + codeBytes + own.length),
    ...ofFunction,
    ...locals,
  ];
  const bytes = new Uint8Array(start.length + code.length + own.length);
  bytes.set(start);
  bytes.set(code, start.length);
  bytes.set(own, start.length + code.length);
  return bytes;
}

class FunctionEncoder {
  /** Functions of math.ts, by their index among the module's functions: the kernel is 0. */
  readonly called = new Map<MathFunction, number>();
  private readonly indices = new Map<Local, number>();
  private readonly locals: ValueType[] = [];
  private readonly labels: (Label | undefined)[] = [];
  private readonly output: number[] = [];

  constructor(private readonly parameters: readonly Local[]) {
    parameters.forEach((local, i) => this.indices.set(local, i));
  }

  /** @param result what it returns, if anything */
  encode(
    body: readonly Statement[],
    result?: WasmNode,
  ): { locals: readonly number[]; code: readonly number[] } {
    this.statements(body);
    if (result) this.node(result);
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
      for (const arg of node.args) this.node(arg);
      const index = this.called.get(node.function) ?? 1 + this.called.size;
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
        else if (node.type === 'f64') {
          bits.setFloat64(0, node.value, true);
          output.push(0x44, ...new Uint8Array(bits.buffer));
        } else {
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
const bits = new DataView(new ArrayBuffer(8));
