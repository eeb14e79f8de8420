/** The statements that a kernel is lowered to, as they are written, and what its variables are known to hold. */
import { ANY, get, i32, op, select, type Local, type WasmNode, type Range } from '../wasm/nodes.ts';
import type { Statement } from '../wasm/statements.ts';
import type { Value } from './values.ts';

/** A variable. Without a range it may hold any number. */
export const variable = (type: Local['type'], range: Range = ANY): Local => ({ type, range });

/** Where the statements of a kernel go. */
export class KernelOutput {
  private statements: Statement[] = [];
  private readonly mutable = new Set<Local>();
  /** What variables are known to hold, where no branch leads around it. */
  private readonly held = new Map<Local, WasmNode>();

  push(statement: Statement): void {
    this.statements.push(statement);
  }

  /** Declares variables that are set more than once. */
  changing(locals: readonly Local[]): void {
    for (const local of locals) this.mutable.add(local);
  }

  /** The node's value as it is now, to be used any number of times: in a variable, unless it is cheap. */
  readonly once = (node: WasmNode): WasmNode => {
    if (this.isCheap(node)) return node;
    const local = variable(node.type, node.range);
    this.statements.push({ kind: 'set', local, value: node });
    return get(local);
  };

  /** The value as it is now, whatever later statements change. */
  fixed(value: Value): Value {
    return { type: value.type, leaves: value.leaves.map(this.once) };
  }

  /** Statements that may run any number of times: inside and after them, what variables hold is unknown. */
  nested(make: () => void): Statement[] {
    const body: Statement[] = [];
    this.held.clear();
    this.into(body, make);
    this.held.clear();
    return body;
  }

  /** Appends what `make` writes to other statements. */
  into<T>(statements: Statement[], make: () => T): T {
    const outer = this.statements;
    this.statements = statements;
    const made = make();
    this.statements = outer;
    return made;
  }

  /** Runs `make` as if nothing were known of variables. */
  forgetting<T>(make: () => T): T {
    const held = [...this.held];
    this.held.clear();
    const made = make();
    for (const [local, node] of held) this.held.set(local, node);
    return made;
  }

  /** What a variable holds now, or else the variable. */
  readonly valueOf = (local: Local): WasmNode => this.held.get(local) ?? get(local);

  /** Sets a variable, and remembers its value where that can be used again at no cost. */
  set(local: Local, value: WasmNode): void {
    this.statements.push({ kind: 'set', local, value });
    const source = value.kind === 'lane' && value.args.length === 1 ? value.args[0] : value;
    if (this.isCheap(source)) this.held.set(local, value);
    else this.held.delete(local);
  }

  /** Sets a variable under a condition. */
  setIf(condition: WasmNode, local: Local, value: WasmNode): void {
    this.held.delete(local);
    this.onlyIf(condition, { kind: 'set', local, value });
  }

  /** A statement under a condition. */
  onlyIf(condition: WasmNode, statement: Statement): void {
    this.statements.push({ kind: 'if', condition, yes: [statement], no: [] });
  }

  /** The option at an index; the last one for an index past the end. */
  picked(options: readonly WasmNode[], index: WasmNode): WasmNode {
    const at = this.once(index);
    return options
      .slice(0, -1)
      .reduceRight(
        (rest, option, i) => select(option, rest, op('i32.eq', at, i32(i))),
        options[options.length - 1],
      );
  }

  /** Whether it can be repeated at no cost: a constant, or a variable that is set once. */
  private isCheap(node: WasmNode): boolean {
    return (
      node.kind === 'const' ||
      node.kind === 'vector' ||
      (node.kind === 'get' && !this.mutable.has(node.local))
    );
  }
}
