/** Which expressions may change memory. */
import type { Expression, FunctionDeclaration, Module } from '../wgsl/syntax.ts';
import { expressionsOf, partsOfExpression, rootOf, someStatement } from '../wgsl/walk.ts';

/** The effects of a module's functions. */
export class Effects {
  private readonly writing = new Map<FunctionDeclaration, boolean>();
  private readonly known = new Map<Expression, boolean>();

  constructor(private readonly module: Module) {}

  /** Whether a call in it may write to memory or waits for other invocations. */
  mayWrite(expression: Expression): boolean {
    const known = this.known.get(expression);
    if (known !== undefined) return known;
    const found = this.finds(expression);
    this.known.set(expression, found);
    return found;
  }

  private finds(expression: Expression): boolean {
    if (expression.kind === 'call') {
      const { name } = expression.callee;
      if (/Barrier$|^atomic/.test(name)) return true;
      const called = this.module.functions.get(name);
      if (called && this.writes(called)) return true;
    }
    return partsOfExpression(expression).some((part) => this.mayWrite(part));
  }

  private writes(called: FunctionDeclaration): boolean {
    const known = this.writing.get(called);
    if (known !== undefined) return known;
    this.writing.set(called, false);
    const found = someStatement(called.body, (statement) => {
      if (statement.kind === 'assign' && this.module.variables.has(rootOf(statement.target) ?? ''))
        return true;
      return expressionsOf(statement).some((expression) => this.mayWrite(expression));
    });
    this.writing.set(called, found);
    return found;
  }
}
