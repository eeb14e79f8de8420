/** What names stand for while a kernel is lowered: values, and places whose values statements may change. */
import type { Local, WasmNode, Range } from '../wasm/nodes.ts';
import type { Declaration, Parameter } from '../wgsl/syntax.ts';
import type { Type } from '../wgsl/types.ts';
import type { Value } from './values.ts';

/** Where a value is that statements may change. */
export type ValuePlace =
  | { kind: 'locals'; type: Type; locals: readonly Local[]; range?: Range }
  /** A component of four floats in a variable. */
  | { kind: 'lane'; of: Local; index: WasmNode }
  /** One of several variables. */
  | { kind: 'choice'; type: Type; locals: readonly Local[]; index: WasmNode }
  /** `shared` if it is in the memory of the workgroup. */
  | {
      kind: 'memory';
      type: Type;
      address: WasmNode;
      offset: number;
      writable: boolean;
      last?: WasmNode;
      shared?: boolean;
    };

/** What a name is declared as. */
export type ScopeEntry =
  | { kind: 'value'; value: Value; declaration?: Declaration | Parameter }
  | { kind: 'place'; place: ValuePlace; declaration?: Declaration };

/** Names of a block, in front of those outside of it. */
export class Scope {
  private readonly symbols = new Map<string, ScopeEntry>();

  constructor(private readonly outer?: Scope) {}

  find(name: string): ScopeEntry | undefined {
    return this.symbols.get(name) ?? this.outer?.find(name);
  }

  declare(name: string, symbol: ScopeEntry): void {
    this.symbols.set(name, symbol);
  }
}
