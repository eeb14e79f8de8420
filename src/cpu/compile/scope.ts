/** What names stand for while a kernel is lowered: values, and places whose values statements may change. */
import type { Local, Node, Range } from '../wasm/nodes.ts';
import type { Declaration, Parameter } from '../wgsl/syntax.ts';
import type { Type } from './types.ts';
import type { Value } from './values.ts';

/** Where a value is that statements may change. */
export type Place =
  | { kind: 'locals'; type: Type; locals: readonly Local[]; range?: Range }
  /** A component of four floats in a variable. */
  | { kind: 'lane'; of: Local; index: Node }
  /** One of several variables. */
  | { kind: 'choice'; type: Type; locals: readonly Local[]; index: Node }
  /** `shared` if it is in the memory of the workgroup. */
  | {
      kind: 'memory';
      type: Type;
      address: Node;
      offset: number;
      writable: boolean;
      last?: Node;
      shared?: boolean;
    };

/** What a name is declared as. */
export type Named =
  | { kind: 'value'; value: Value; declaration?: Declaration | Parameter }
  | { kind: 'place'; place: Place; declaration?: Declaration };

/** Names of a block, in front of those outside of it. */
export class Scope {
  private readonly symbols = new Map<string, Named>();

  constructor(private readonly outer?: Scope) {}

  find(name: string): Named | undefined {
    return this.symbols.get(name) ?? this.outer?.find(name);
  }

  declare(name: string, symbol: Named): void {
    this.symbols.set(name, symbol);
  }
}
