/** Statements of WebAssembly functions: structured control flow over trees of nodes. */
import { argsOf, type Local, type WasmNode } from './nodes.ts';

/** The target of a branch. */
export type Label = symbol;

export type Statement =
  | { kind: 'set'; local: Local; value: WasmNode }
  | { kind: 'store'; address: WasmNode; offset: number; value: WasmNode }
  | { kind: 'fill'; address: WasmNode; bytes: WasmNode }
  | { kind: 'if'; condition: WasmNode; yes: Statement[]; no: Statement[] }
  /** A branch to its label leaves it. */
  | { kind: 'block'; label: Label; body: Statement[] }
  /** A branch to its label starts it over; otherwise it ends with its body. */
  | { kind: 'loop'; label: Label; body: Statement[] }
  | { kind: 'branch'; label: Label }
  /** Ends the function with an exception. */
  | { kind: 'trap' }
  /** No invocation of a workgroup continues before all have arrived. Removed before a function is encoded. */
  | { kind: 'barrier'; at: number };

/** The lists of statements inside a statement. */
export function bodiesOf(statement: Statement): Statement[][] {
  switch (statement.kind) {
    case 'if':
      return [statement.yes, statement.no];
    case 'block':
    case 'loop':
      return [statement.body];
    default:
      return [];
  }
}

/** The expressions of the statement itself. */
export function nodesOf(statement: Statement): WasmNode[] {
  switch (statement.kind) {
    case 'set':
      return [statement.value];
    case 'store':
      return [statement.address, statement.value];
    case 'fill':
      return [statement.address, statement.bytes];
    case 'if':
      return [statement.condition];
    default:
      return [];
  }
}

/** Calls `visit` with every variable that an expression reads. */
export function readsOf(node: WasmNode, visit: (local: Local) => void): void {
  if (node.kind === 'get') visit(node.local);
  else for (const arg of argsOf(node)) readsOf(arg, visit);
}

/** Statements without those that set variables that are never read. Expressions have no effects. */
export function withoutUnused(body: readonly Statement[]): Statement[] {
  const values = new Map<Local, WasmNode[]>();
  const used = new Set<Local>();
  const open: Local[] = [];
  const use = (node: WasmNode) => {
    readsOf(node, (local) => {
      if (used.has(local)) return;
      used.add(local);
      open.push(local);
    });
  };
  const collect = (statements: readonly Statement[]) => {
    for (const statement of statements) {
      if (statement.kind === 'set') {
        const known = values.get(statement.local);
        if (known) known.push(statement.value);
        else values.set(statement.local, [statement.value]);
      } else nodesOf(statement).forEach(use);
      bodiesOf(statement).forEach(collect);
    }
  };
  collect(body);
  for (let local = open.pop(); local; local = open.pop()) values.get(local)?.forEach(use);
  const keep = (statements: readonly Statement[]): Statement[] =>
    statements.flatMap((statement) => {
      if (statement.kind === 'set' && !used.has(statement.local)) return [];
      if (statement.kind === 'if') return { ...statement, yes: keep(statement.yes), no: keep(statement.no) };
      return 'body' in statement ? { ...statement, body: keep(statement.body) } : statement;
    });
  return keep(body);
}
