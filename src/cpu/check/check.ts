/**
 * Checks a module as WGSL demands (https://www.w3.org/TR/WGSL/), whether or not its parts are used or reached: names, types, constant
 * expressions, how functions end, and that all invocations reach a barrier. What compiles a module relies on it.
 */
import type { Type } from '../wgsl/types.ts';
import { SourceError } from '../wgsl/source-error.ts';
import type {
  Attribute,
  Expression,
  FunctionDeclaration,
  Module,
  TypeName,
  WgslStatement,
} from '../wgsl/syntax.ts';
import type { ConstantValue } from '../wgsl/constants.ts';
import { CheckedStatements } from './statements.ts';
import { requireUniformBarriers } from './uniformity.ts';

export interface Checked {
  module: Module;
  /** The values of constant expressions, with the types that they are used as. */
  constants: ReadonlyMap<Expression, { type: Type; constant: ConstantValue }>;
  typeOf(name: TypeName): Type;
  /** The number in @group, @binding and the like, if it is there. */
  attribute(attributes: readonly Attribute[], name: string): number | undefined;
  /** Whether what follows a statement is reached. */
  resumes(statement: WgslStatement): boolean;
  /** The entry point. */
  main: FunctionDeclaration;
  workgroup: readonly [x: number, y: number, z: number];
}

/** @throws SourceError at the first mistake, or at what is not supported */
export function check(module: Module): Checked {
  const checker = new Checker(module);
  return checker.all();
}

class Checker extends CheckedStatements {
  private tables() {
    const { module, constants, typeOf, attribute, resumes } = this;
    return { module, constants, typeOf, attribute, resumes };
  }

  all(): Checked {
    const { aliases, structs, constants, variables, functions } = this.module;
    for (const alias of aliases.values()) this.typeOf(alias);
    for (const [name, { at }] of structs) this.typeOf({ name, template: [], at });
    for (const [name, { at }] of [...constants, ...variables]) this.global(name, at);
    for (const one of functions.values()) this.function(one);
    const main = functions.get('main');
    if (!main) throw new SourceError(0, 'expected a function "main"');
    const size = main.attributes.find(({ name }) => name === 'workgroup_size');
    if (!size) throw new SourceError(main.at, 'expected @compute and @workgroup_size');
    if (this.hasBarriers) requireUniformBarriers(this.module, this.behaviors);
    const [x, y = 1, z = 1] = this.workgroupSize(size);
    return { ...this.tables(), main, workgroup: [x, y, z] };
  }
}
