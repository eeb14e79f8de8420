/** The syntax tree of a WGSL module, as far as compute shaders without pointers, textures and `switch` need it. */

interface Located {
  /** Where in the source: an index of its characters. */
  at: number;
}

/** A type, or the name of a function with its template arguments: `vec4<f32>`, `array<u32, N>`, `bitcast<u32>`. */
export interface TypeName extends Located {
  name: string;
  /** Types and, for an array's length, an expression. */
  template: readonly (TypeName | Expression)[];
}

export type Expression =
  /** Whole numbers are bigints. */
  | ({ kind: 'number'; value: number | bigint; type: 'int' | 'float' | 'i32' | 'u32' | 'f32' } & Located)
  | ({ kind: 'flag'; value: boolean } & Located)
  | ({ kind: 'name'; name: string } & Located)
  | ({ kind: 'unary'; operator: string; operand: Expression } & Located)
  | ({ kind: 'binary'; operator: string; left: Expression; right: Expression } & Located)
  | ({ kind: 'call'; callee: TypeName; args: readonly Expression[] } & Located)
  | ({ kind: 'member'; of: Expression; member: string } & Located)
  | ({ kind: 'index'; of: Expression; index: Expression } & Located);

export interface Declaration extends Located {
  kind: 'var' | 'let' | 'const';
  name: string;
  type: TypeName | undefined;
  value: Expression | undefined;
}

export type WgslStatement =
  | Declaration
  /** `isStep`: `++` or `--` */
  | ({ kind: 'assign'; target: Expression; operator: string; value: Expression; isStep?: true } & Located)
  | ({ kind: 'call'; call: Expression & { kind: 'call' } } & Located)
  | ({ kind: 'if'; condition: Expression; yes: StatementBlock; no: StatementBlock } & Located)
  /** `for`, `while` and `loop`. `step` runs after the body and after `continue`. */
  | ({
      kind: 'loop';
      start: WgslStatement | undefined;
      condition: Expression | undefined;
      step: StatementBlock;
      body: StatementBlock;
    } & Located)
  | ({ kind: 'return'; value: Expression | undefined } & Located)
  | ({ kind: 'break' | 'continue' } & Located)
  | ({ kind: 'block'; body: StatementBlock } & Located);

export type StatementBlock = readonly WgslStatement[];

export interface Attribute extends Located {
  name: string;
  args: readonly Expression[];
}

export interface Parameter extends Located {
  name: string;
  type: TypeName;
  attributes: readonly Attribute[];
}

export interface FunctionDeclaration extends Located {
  name: string;
  attributes: readonly Attribute[];
  parameters: readonly Parameter[];
  result: TypeName | undefined;
  body: StatementBlock;
}

export interface StructDeclaration extends Located {
  name: string;
  /** Attributes say which built-in value a member is. */
  members: readonly Parameter[];
}

/** `var<storage, read> x: array<f32>;` */
export interface GlobalVariable extends Located {
  name: string;
  space: 'uniform' | 'storage' | 'workgroup' | 'private';
  writable: boolean;
  type: TypeName;
  attributes: readonly Attribute[];
}

export interface Module {
  aliases: ReadonlyMap<string, TypeName>;
  constants: ReadonlyMap<string, Declaration>;
  structs: ReadonlyMap<string, StructDeclaration>;
  variables: ReadonlyMap<string, GlobalVariable>;
  functions: ReadonlyMap<string, FunctionDeclaration>;
}
