/** Checks statements and functions, also those that are never reached or called. */
import { nameOf, type Type } from '../wgsl/types.ts';
import { SourceError } from '../wgsl/source-error.ts';
import type {
  Attribute,
  Declaration,
  Expression,
  FunctionDeclaration,
  GlobalVariable,
  Parameter,
  StatementBlock,
  WgslStatement,
} from '../wgsl/syntax.ts';
import { rootOf } from '../wgsl/walk.ts';
import { CheckedCalls } from './calls.ts';
import { isConstructible, type Typed } from './names.ts';

/** How control leaves a statement (https://www.w3.org/TR/WGSL/#behaviors), as bits. */
export const [NEXT, BREAK, CONTINUE, RETURN] = [1, 2, 4, 8];

const WHAT = { let: 'a "let"', const: 'a "const"', var: 'a variable' } as const;

/** The most invocations of a workgroup that a number says. */
const MOST_INVOCATIONS = 2 ** 32 - 1;

export abstract class CheckedStatements extends CheckedCalls {
  /** How control leaves the statements that are checked. */
  readonly behaviors = new Map<WgslStatement, number>();
  readonly resumes = (statement: WgslStatement): boolean =>
    ((this.behaviors.get(statement) ?? NEXT) & NEXT) !== 0;
  private readonly used = new Map<string, ReadonlySet<GlobalVariable>>();
  /** Of the function that is checked. */
  private result: Type | undefined;
  private loops = 0;

  protected function(checked: FunctionDeclaration, at = checked.at): void {
    const { name } = checked;
    const known = this.used.get(name);
    if (!known) {
      const { uses, result, loops } = this;
      this.uses = new Set();
      this.loops = 0;
      this.outside(name, at, () => this.newFunction(checked));
      this.used.set(name, this.uses);
      Object.assign(this, { uses, result, loops });
    }
    for (const variable of this.used.get(name) ?? []) this.uses.add(variable);
  }

  private newFunction({ name, attributes, parameters, result, body, at }: FunctionDeclaration): void {
    const has = (word: string) => attributes.find((one) => one.name === word);
    this.only(attributes, ['compute', 'workgroup_size', 'must_use']);
    const isEntry = has('compute') !== undefined;
    const size = has('workgroup_size');
    if (isEntry && !size) throw new SourceError(at, 'expected @workgroup_size');
    if (size && !isEntry) throw new SourceError(size.at, '@workgroup_size without @compute');
    if (size) this.workgroupSize(size);
    const type = result && this.typeOf(result);
    if (type && (isEntry || !isConstructible(type)))
      throw new SourceError(
        result.at,
        `${isEntry ? 'the entry point ' : ''}"${name}" cannot return ${nameOf(type)}`,
      );
    const dropped = has('must_use');
    if (dropped && !type) throw new SourceError(dropped.at, `@must_use: "${name}" returns nothing`);
    const builtins = new Set<string>();
    this.result = type;
    this.inBlock(() => {
      for (const parameter of parameters) {
        const given = this.typeOf(parameter.type);
        if (!isConstructible(given))
          throw new SourceError(parameter.at, `"${parameter.name}" cannot be ${nameOf(given)}`);
        this.only(parameter.attributes, isEntry ? ['builtin'] : []);
        if (isEntry) this.entryParameter(parameter, given, builtins);
        this.declare(parameter.name, { what: 'a parameter', type: given }, parameter.at);
      }
      const leaves = this.statements(body);
      if (type && (leaves & NEXT) !== 0) throw new SourceError(at, `"${name}" may end without a "return"`);
    });
    if (isEntry) this.bindings(name);
  }

  protected workgroupSize({ args, at }: Attribute): number[] {
    if (args.length < 1 || args.length > 3)
      throw new SourceError(at, `@workgroup_size takes 1 to 3 numbers, found ${args.length}`);
    const given = args.map((arg) => this.value(arg).type);
    const sizes = args.map((arg) => this.wholeNumber(arg));
    if (new Set(given.map(nameOf).filter((one) => one !== 'int')).size > 1)
      throw new SourceError(at, '@workgroup_size of i32 and u32');
    const wrong = sizes.findIndex((one) => one < 1);
    if (wrong >= 0) throw new SourceError(args[wrong].at, `expected a number above 0, found ${sizes[wrong]}`);
    if (sizes.reduce((a, b) => a * b) > MOST_INVOCATIONS) throw new SourceError(at, 'too many invocations');
    return sizes;
  }

  /** A built-in value, or a struct of them. */
  private entryParameter(
    { name, attributes, type: typeName, at }: Parameter,
    type: Type,
    builtins: Set<string>,
  ): void {
    const own = this.builtinOf(attributes, type);
    const members = type.kind === 'struct' ? (this.module.structs.get(type.name)?.members ?? []) : [];
    const all =
      own === undefined ? members.map((one) => this.builtinOf(one.attributes, this.typeOf(one.type))) : [own];
    if (all.length === 0) throw new SourceError(at, `expected @builtin at "${name}"`);
    for (const one of all) {
      if (one === undefined)
        throw new SourceError(typeName.at, `expected @builtin at all members of ${nameOf(type)}`);
      if (builtins.has(one)) throw new SourceError(at, `the built-in value "${one}" is asked for twice`);
      builtins.add(one);
    }
  }

  /** @throws SourceError if an entry point uses two variables of one binding */
  private bindings(name: string): void {
    const bound = new Map<string, string>();
    for (const { name: own, attributes, at } of this.uses) {
      const [group, binding] = ['group', 'binding'].map((word) => this.attribute(attributes, word));
      if (group === undefined) continue;
      const other = bound.get(`${group} ${binding}`);
      if (other)
        throw new SourceError(at, `"${name}" uses "${other}" and "${own}", which have the same binding`);
      bound.set(`${group} ${binding}`, own);
    }
  }

  /** CheckedStatements in the current block. Returns how control leaves them. */
  private statements(block: StatementBlock): number {
    let all = NEXT;
    for (const statement of block) {
      const own = this.statement(statement);
      this.behaviors.set(statement, own);
      // What follows is never reached, but must be right.
      if ((all & NEXT) !== 0) all = (all & ~NEXT) | own;
    }
    return all;
  }

  private nested(block: StatementBlock): number {
    let all = NEXT;
    this.inBlock(() => (all = this.statements(block)));
    return all;
  }

  private statement(statement: WgslStatement): number {
    const { at } = statement;
    switch (statement.kind) {
      case 'let':
      case 'const':
      case 'var':
        this.declaration(statement);
        return NEXT;
      case 'assign':
        this.assign(statement);
        return NEXT;
      case 'call':
        this.callStatement(statement.call);
        return NEXT;
      case 'if':
        this.condition(statement.condition);
        return this.nested(statement.yes) | this.nested(statement.no);
      case 'loop':
        return this.loop(statement);
      case 'return':
        this.return(statement.value, at);
        return RETURN;
      case 'break':
      case 'continue':
        if (this.loops === 0) throw new SourceError(at, `"${statement.kind}" outside of a loop`);
        return statement.kind === 'break' ? BREAK : CONTINUE;
      case 'block':
        return this.nested(statement.body);
    }
  }

  private declaration(declaration: Declaration): void {
    const { kind, name, at } = declaration;
    const typed = this.initial(declaration);
    const memory = { memory: { space: 'function', isWritable: true } } as const;
    this.declare(name, { ...typed, what: WHAT[kind], ...(kind === 'var' ? memory : {}) }, at);
  }

  private condition(expression: Expression): void {
    const { type } = this.value(expression);
    if (nameOf(type) !== 'bool')
      throw new SourceError(expression.at, `expected a condition, found ${nameOf(type)}`);
  }

  private assign({ target, operator, value, isStep, at }: WgslStatement & { kind: 'assign' }): void {
    if (target.kind === 'name' && target.name === '_') {
      if (operator !== '') throw new SourceError(at, '"_" has no value');
      this.concrete(value);
      return;
    }
    const { type } = this.target(target);
    if (operator === '') {
      this.valueAs(value, type);
      return;
    }
    if (isStep && !(type.kind === 'scalar' && /^[iu]32$/.test(nameOf(type))))
      throw new SourceError(at, `"${operator}${operator}" of ${nameOf(type)}`);
    const made = this.operation(operator, target, { type }, value, this.value(value), at);
    if (nameOf(made.type) !== nameOf(type))
      throw new SourceError(at, `expected ${nameOf(type)}, found ${nameOf(made.type)}`);
  }

  /** What is assigned. */
  private target(target: Expression): Typed {
    const found = this.typed(target);
    const { type, memory } = found;
    if (!memory) {
      const root = rootOf(target);
      const entry = root === undefined ? undefined : this.local(root);
      const what = entry ? `"${root}", which is ${entry.what}` : 'something that is not a variable';
      throw new SourceError(target.at, `an assignment to ${what}`);
    }
    if (!memory.isWritable) throw new SourceError(target.at, 'a write to what is read-only');
    if (memory.isSwizzle)
      throw new SourceError(target.at, 'an assignment to several components is not supported');
    if (!isConstructible(type)) throw new SourceError(target.at, `${nameOf(type)} cannot be assigned`);
    return found;
  }

  private callStatement(call: Expression & { kind: 'call' }): void {
    const made = this.call(call);
    if (made && !this.mayBeDropped(call))
      throw new SourceError(call.at, `the result of "${call.callee.name}" is not used`);
  }

  private return(value: Expression | undefined, at: number): void {
    if (value && !this.result)
      throw new SourceError(value.at, 'expected no value: the function returns nothing');
    if (!value && this.result) throw new SourceError(at, `expected a value of ${nameOf(this.result)}`);
    if (value && this.result) this.valueAs(value, this.result);
  }

  private loop({ start, condition, step, body, at }: WgslStatement & { kind: 'loop' }): number {
    let all = 0;
    this.inBlock(() => {
      if (start) this.statement(start);
      if (condition) this.condition(condition);
      this.statements(step);
      this.loops++;
      all = this.nested(body);
      this.loops--;
    });
    const mayEnd = condition !== undefined || (all & BREAK) !== 0;
    const leaves = (all & RETURN) | (mayEnd ? NEXT : 0);
    if (leaves === 0)
      throw new SourceError(at, 'a loop that does not end: expected a condition, "break" or "return"');
    return leaves;
  }
}
