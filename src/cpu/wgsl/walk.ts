/** Questions about syntax trees. */
import type { StatementBlock, Expression, WgslStatement } from './syntax.ts';

/** Whether an expression uses a name. */
export function mentions(expression: Expression, name: string): boolean {
  if (expression.kind === 'name') return expression.name === name;
  return partsOfExpression(expression).some((part) => mentions(part, name));
}

/** The operands of an expression. */
export function partsOfExpression(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'call':
      return expression.args;
    case 'member':
      return [expression.of];
    case 'index':
      return [expression.of, expression.index];
    default:
      return [];
  }
}

/** The variable that an assignment changes. */
export function rootOf(target: Expression): string | undefined {
  if (target.kind === 'name') return target.name;
  return target.kind === 'index' || target.kind === 'member' ? rootOf(target.of) : undefined;
}

/** The blocks of a statement. */
const partsOf = (statement: WgslStatement): readonly StatementBlock[] => {
  switch (statement.kind) {
    case 'if':
      return [statement.yes, statement.no];
    case 'loop':
      return [statement.start ? [statement.start] : [], statement.step, statement.body];
    case 'block':
      return [statement.body];
    default:
      return [];
  }
};

/** Whether any statement, however deep, satisfies a condition. */
export const someStatement = (block: StatementBlock, test: (statement: WgslStatement) => boolean): boolean =>
  block.some((statement) => test(statement) || partsOf(statement).some((part) => someStatement(part, test)));

/** The number of `return`s. */
export const countReturns = (block: StatementBlock): number =>
  block.reduce(
    (sum, statement) =>
      sum +
      Number(statement.kind === 'return') +
      partsOf(statement).reduce((inner, part) => inner + countReturns(part), 0),
    0,
  );

/** A statement's own expressions, not those of statements in it. */
export function expressionsOf(statement: WgslStatement): Expression[] {
  switch (statement.kind) {
    case 'var':
    case 'let':
    case 'const':
    case 'return':
      return statement.value ? [statement.value] : [];
    case 'assign':
      return [statement.target, statement.value];
    case 'call':
      return [statement.call];
    case 'if':
      return [statement.condition];
    case 'loop':
      return statement.condition ? [statement.condition] : [];
    default:
      return [];
  }
}

/** The number of statements, however deep. */
export const countStatements = (block: StatementBlock): number =>
  block.reduce(
    (sum, one) => sum + 1 + partsOf(one).reduce((inner, part) => inner + countStatements(part), 0),
    0,
  );
