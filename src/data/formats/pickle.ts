/**
 * Reads Python's pickles (protocols 2 to 5: https://github.com/python/cpython/blob/main/Lib/pickletools.py) as data. A
 * pickle is a program for a stack machine, which may name any function of Python to be called. Nothing is called here:
 * the few names that a state dict or an array needs have meanings of their own, and all others stand for nothing.
 */
import type { ByteReader } from '../../base/bytes.ts';
import { Failure } from '../../base/result.ts';

/** A value of a pickle. Sets and lists are arrays, dicts maps; large whole numbers are bigints. */
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Pickled[]
  | ReadonlyMap<Pickled, Pickled>
  | Made
  | Global;

/** What a name stands for: a value such as torch.FloatStorage, or a function to be called. */
export class Global {
  /** @param name with its module: "torch._utils._rebuild_tensor_v2" */
  constructor(readonly name: string) {}
}

/** A value that the caller's functions have made. */
export abstract class Made {
  abstract readonly kind: string;
}

/** What a name that is not known would make: a value without contents. */
export class Unknown extends Made {
  readonly kind = 'unknown';

  constructor(readonly name: string) {
    super();
  }
}

export interface PickleMeaning {
  /** Whether a name has a meaning; others give an `Unknown`. */
  knows(name: string): boolean;
  /** Takes note of a name that is not known. @param failure says where it is */
  unknown(name: string, failure: () => Failure): void;
  /** What a call gives; undefined if such a call is not known. */
  call(name: string, words: readonly Pickled[]): Pickled | undefined;
  /** What a persistent id stands for; undefined if such an id is not known. */
  load(id: Pickled): Pickled | undefined;
  /** Gives a value that a call has made its contents. */
  build?(target: Made, state: Pickled): void;
}

/** Whole numbers of so many bytes at most: more are of no use in a state dict. */
const MAX_NUMBER_BYTES = 16;
/** Opcodes, and values that calls copy: a byte may stand for an object of 200. A tensor takes about 30. */
const MAX_STEPS = 500_000;

/**
 * Reads one pickle, from the reader's place to its end.
 * @throws Failure `bad-file` with the byte of what is damaged
 */
export function readPickle(file: ByteReader, meaning: PickleMeaning): Pickled {
  return new Machine(file, meaning).run();
}

class Machine {
  private readonly stack: Pickled[] = [];
  /** Where on the stack groups begin. */
  private readonly marks: number[] = [];
  private readonly memo: Pickled[] = [];
  /** The place of the opcode at work. */
  private at = 0;
  private steps = 0;

  constructor(
    private readonly file: ByteReader,
    private readonly meaning: PickleMeaning,
  ) {}

  run(): Pickled {
    const { file } = this;
    for (;;) {
      this.at = file.offset;
      this.spend(1);
      const code = file.u8('an opcode');
      if (code === STOP) return this.pop();
      const read = OPCODES.get(code);
      if (!read) throw this.bad(`opcode ${code} is not one of protocols 2 to 5 for plain data`);
      read(this, file);
    }
  }

  private spend(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) throw this.bad(`expected at most ${MAX_STEPS} values, found more`);
  }

  bad(message: string): Failure {
    return this.file.bad(`pickle: ${message}`, this.at);
  }

  push(value: Pickled): void {
    this.stack.push(value);
  }

  pop(): Pickled {
    const value = this.stack.length > (this.marks.at(-1) ?? 0) ? this.stack.pop() : undefined;
    if (value === undefined) throw this.bad('takes a value from an empty stack');
    return value;
  }

  top(): Pickled {
    const value = this.pop();
    this.push(value);
    return value;
  }

  mark(): void {
    this.marks.push(this.stack.length);
  }

  /** The values since the last mark. */
  group(): Pickled[] {
    const from = this.marks.pop();
    if (from === undefined) throw this.bad('ends a group that was not started');
    return this.stack.splice(from);
  }

  /** The last `count` values. */
  last(count: number): Pickled[] {
    return Array.from({ length: count }, () => this.pop()).toReversed();
  }

  append(values: readonly Pickled[]): void {
    const list = this.top();
    if (list instanceof Unknown) return;
    if (!Array.isArray(list)) throw this.bad('appends to something that is not a list');
    for (const value of values) (list as Pickled[]).push(value);
  }

  setItems(items: readonly Pickled[]): void {
    const dict = this.top();
    if (dict instanceof Unknown) return;
    if (!(dict instanceof Map) || items.length % 2 !== 0)
      throw this.bad('adds entries to something that is not a dict');
    for (let i = 0; i < items.length; i += 2) dict.set(items[i], items[i + 1]);
  }

  keep(index = this.memo.length): void {
    // In order from 0, or from 1 as Python 2 writes them: any other number would only take memory.
    if (index > Math.max(1, this.memo.length))
      throw this.bad(`keeps value ${index} after ${this.memo.length} others`);
    this.memo[index] = this.top();
  }

  recall(index: number): void {
    const value = this.memo[index];
    if (value === undefined) throw this.bad(`reads value ${index}, which was not stored`);
    this.push(value);
  }

  name(module: string, name: string): void {
    const whole = `${module}.${name}`;
    if (this.meaning.knows(whole)) {
      this.push(new Global(whole));
      return;
    }
    const failure = () =>
      new Failure(
        'unsupported',
        `${this.file.name}, byte ${this.at}: names ${JSON.stringify(whole.slice(0, 100))}, which a state dict does not need; nothing of a file is run`,
        'Save the state dict alone: torch.save(model.state_dict(), FILE).',
      );
    this.meaning.unknown(whole, failure);
    this.push(new Unknown(whole));
  }

  call(): void {
    const [called, words] = this.last(2);
    if (called instanceof Unknown) {
      this.push(called);
      return;
    }
    if (!(called instanceof Global) || !Array.isArray(words))
      throw this.bad('calls something that is not a function');
    for (const word of words) this.spend(costOf(word));
    const value = this.meaning.call(called.name, words as readonly Pickled[]) ?? unknownIn(words);
    if (value === undefined) throw this.bad(`calls ${called.name} with arguments that it does not take`);
    this.push(value);
  }

  load(): void {
    const id = this.pop();
    const value = this.meaning.load(id) ?? unknownIn(id);
    if (value === undefined) throw this.bad('names stored data in a form that is not known');
    this.push(value);
  }

  /** Sets attributes of an object. Those of a state dict are its modules' versions, which say nothing. */
  build(): void {
    const [target, state] = this.last(2);
    if (!(target instanceof Map || target instanceof Made))
      throw this.bad('sets attributes of a plain value');
    if (target instanceof Made) this.meaning.build?.(target, state);
    this.push(target);
  }

  text(length: number): void {
    this.push(new TextDecoder().decode(this.file.take(length, 'text')));
  }

  /** A line of ASCII, without its end. */
  line(): string {
    const { file } = this;
    const end = file.bytes.indexOf(10, file.offset);
    if (end < 0 || end - file.offset > MAX_LINE) throw this.bad('expected the end of a name');
    const text = new TextDecoder().decode(file.take(end - file.offset, 'a name'));
    file.take(1, 'the end of a line');
    return text;
  }

  /** A signed little-endian number. */
  whole(length: number): void {
    if (length > MAX_NUMBER_BYTES)
      throw this.bad(`expected a number of at most ${MAX_NUMBER_BYTES} bytes, found ${length}`);
    const bytes = this.file.take(length, 'a number');
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]);
    value = BigInt.asIntN(8 * length, value);
    const plain = Number(value);
    this.push(Number.isSafeInteger(plain) ? plain : value);
  }
}

/** Steps of a call for one of its arguments, which it may copy: so many bytes of a text count as a value. */
function costOf(word: Pickled): number {
  if (Array.isArray(word)) return word.length;
  return 1 + (typeof word === 'string' || word instanceof Uint8Array ? word.length >> 7 : 0);
}

/** What is made of something unknown is unknown. */
const unknownIn = (values: Pickled): Unknown | undefined =>
  Array.isArray(values) ? (values as readonly Pickled[]).find((one) => one instanceof Unknown) : undefined;

const MAX_LINE = 200;
const STOP = 0x2e;

type Opcode = (machine: Machine, file: ByteReader) => void;

const float = (file: ByteReader): number => {
  const bytes = file.take(8, 'a number');
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0);
};

/** By opcode, as pickletools names them. */
const OPCODES: ReadonlyMap<number, Opcode> = new Map<number, Opcode>([
  // PROTO and FRAME
  [
    0x80,
    (machine, file) => {
      const version = file.u8('a version');
      if (version < 2 || version > 5) throw machine.bad(`expected protocol 2 to 5, found ${version}`);
    },
  ],
  [0x95, (_, file) => void file.u64le('the length of a frame')],
  // NONE, NEWTRUE, NEWFALSE
  [0x4e, (machine) => machine.push(null)],
  [0x88, (machine) => machine.push(true)],
  [0x89, (machine) => machine.push(false)],
  // BININT, BININT1, BININT2, LONG1, LONG4, BINFLOAT
  [0x4a, (machine, file) => machine.push(file.u32le('a number') | 0)],
  [0x4b, (machine, file) => machine.push(file.u8('a number'))],
  [0x4d, (machine, file) => machine.push(file.u16le('a number'))],
  [0x8a, (machine, file) => machine.whole(file.u8('a length'))],
  [0x8b, (machine, file) => machine.whole(file.u32le('a length'))],
  [0x47, (machine, file) => machine.push(float(file))],
  // BINUNICODE, SHORT_BINUNICODE, BINUNICODE8
  [0x58, (machine, file) => machine.text(file.u32le('a length'))],
  [0x8c, (machine, file) => machine.text(file.u8('a length'))],
  [0x8d, (machine, file) => machine.text(file.u64le('a length'))],
  // SHORT_BINSTRING and BINSTRING, bytes of Python 2: short ones are names
  [0x55, (machine, file) => machine.text(file.u8('a length'))],
  [0x54, (machine, file) => machine.push(file.take(file.u32le('a length'), 'bytes'))],
  // SHORT_BINBYTES, BINBYTES, BINBYTES8, BYTEARRAY8
  [0x43, (machine, file) => machine.push(file.take(file.u8('a length'), 'bytes'))],
  [0x42, (machine, file) => machine.push(file.take(file.u32le('a length'), 'bytes'))],
  [0x8e, (machine, file) => machine.push(file.take(file.u64le('a length'), 'bytes'))],
  [0x96, (machine, file) => machine.push(file.take(file.u64le('a length'), 'bytes'))],
  // MARK, POP, POP_MARK, DUP
  [0x28, (machine) => machine.mark()],
  [0x30, (machine) => void machine.pop()],
  [0x31, (machine) => void machine.group()],
  [0x32, (machine) => machine.push(machine.top())],
  // TUPLE, EMPTY_TUPLE, TUPLE1 to TUPLE3
  [0x74, (machine) => machine.push(machine.group())],
  [0x29, (machine) => machine.push([])],
  [0x85, (machine) => machine.push(machine.last(1))],
  [0x86, (machine) => machine.push(machine.last(2))],
  [0x87, (machine) => machine.push(machine.last(3))],
  // EMPTY_LIST, APPEND, APPENDS
  [0x5d, (machine) => machine.push([])],
  [0x61, (machine) => machine.append(machine.last(1))],
  [0x65, (machine) => machine.append(machine.group())],
  // EMPTY_DICT, SETITEM, SETITEMS
  [0x7d, (machine) => machine.push(new Map())],
  [0x73, (machine) => machine.setItems(machine.last(2))],
  [0x75, (machine) => machine.setItems(machine.group())],
  // EMPTY_SET, ADDITEMS, FROZENSET
  [0x8f, (machine) => machine.push([])],
  [0x90, (machine) => machine.append(machine.group())],
  [0x91, (machine) => machine.push(machine.group())],
  // BINPUT, LONG_BINPUT, MEMOIZE, BINGET, LONG_BINGET
  [0x71, (machine, file) => machine.keep(file.u8('a place'))],
  [0x72, (machine, file) => machine.keep(file.u32le('a place'))],
  [0x94, (machine) => machine.keep()],
  [0x68, (machine, file) => machine.recall(file.u8('a place'))],
  [0x6a, (machine, file) => machine.recall(file.u32le('a place'))],
  // GLOBAL, STACK_GLOBAL, REDUCE, NEWOBJ, BUILD, BINPERSID
  [0x63, (machine) => machine.name(machine.line(), machine.line())],
  [
    0x93,
    (machine) => {
      const [module, name] = machine.last(2);
      if (typeof module !== 'string' || typeof name !== 'string')
        throw machine.bad('expected a name made of two strings');
      machine.name(module, name);
    },
  ],
  [0x52, (machine) => machine.call()],
  [0x81, (machine) => machine.call()],
  [0x62, (machine) => machine.build()],
  [0x51, (machine) => machine.load()],
]);
