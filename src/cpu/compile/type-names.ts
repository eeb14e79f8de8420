/** The types that a module's names stand for. */
import { SourceError } from '../wgsl/source-error.ts';
import type { Attribute, Expression, Module, TypeName } from '../wgsl/syntax.ts';
import type { Definitions } from './definitions.ts';
import { scalar, structOf, vectorOf, type Scalar, type Type } from './types.ts';
import { scalarOf } from './values.ts';

/** Finds types by name, each once. */
export class TypeNames {
  private readonly types = new Map<string, Type>();

  /** @param known the number of an expression that is a constant */
  constructor(
    private readonly module: Module,
    private readonly definitions: Definitions,
    private readonly known: (expression: Expression) => number,
  ) {}

  /** @throws SourceError for an unknown name */
  typeOf(name: TypeName): Type {
    const plain = name.template.length === 0;
    if (plain) {
      const known = this.types.get(name.name);
      if (known) return known;
    }
    const type = this.definitions.within(name.name, () => this.newType(name));
    if (plain) this.types.set(name.name, type);
    return type;
  }

  private newType(typeName: TypeName): Type {
    const { name, template, at } = typeName;
    const short = /^vec([234])([fiu])$/.exec(name);
    if (short) return vectorOf(Number(short[1]), { f: 'f32', i: 'i32', u: 'u32' }[short[2]] as Scalar);
    switch (name) {
      case 'f32':
      case 'i32':
      case 'u32':
      case 'bool':
        return scalar(name);
      case 'vec2':
      case 'vec3':
      case 'vec4': {
        const of = this.typeOf(templateType(typeName));
        return vectorOf(Number(name[3]), scalarOf(of));
      }
      case 'atomic':
        return this.typeOf(templateType(typeName));
      case 'array': {
        const element = this.typeOf(templateType(typeName));
        const length = template[1] === undefined ? undefined : this.known(template[1] as Expression);
        return { kind: 'array', element, length };
      }
    }
    const alias = this.module.aliases.get(name);
    if (alias) return this.typeOf(alias);
    const struct = this.module.structs.get(name);
    if (!struct) throw new SourceError(at, `unknown type "${name}"`);
    return structOf(
      name,
      struct.members.map((member) => {
        const [align, size] = ['align', 'size'].map((word) => this.attribute(member.attributes, word));
        return { name: member.name, type: this.typeOf(member.type), align, size };
      }),
    );
  }

  /** Whether a call of this name makes a value of a type. */
  isType({ name }: TypeName): boolean {
    return (
      /^(vec[234][fiu]?|[fiu]32|bool|array)$/.test(name) ||
      this.module.aliases.has(name) ||
      this.module.structs.has(name)
    );
  }

  /** The number of an attribute, if it is there. */
  attribute(attributes: readonly Attribute[], name: string): number | undefined {
    const found = attributes.find((one) => one.name === name);
    if (!found) return undefined;
    if (found.args.length !== 1) throw new SourceError(found.at, `expected a number in @${name}`);
    return this.known(found.args[0]);
  }
}

/** The type that a template names: f32 of `vec2<f32>`. */
export function templateType({ name, template, at }: TypeName): TypeName {
  const [type] = template;
  if (type && 'template' in type) return type;
  throw new SourceError(at, `"${name}" without a type`);
}
