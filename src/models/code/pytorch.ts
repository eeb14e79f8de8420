/** A model as a program for PyTorch: modules with the same names, so that the state_dict matches. */
import type { Model } from '../model.ts';
import { Failure } from '../../base/result.ts';
import { forwardLines, isAttribute } from './forward.ts';
import { moduleTree, type SourceModule } from './modules.ts';
import { MEAN_INSIDE, modulePartsOf, padsApart } from './ops.ts';
import { className, heading, quoted, sourceLayers, type SourceLayer } from './source.ts';

/**
 * The model as Python text that requires only PyTorch. Blocks of the same structure become one class, with the numbers
 * that differ as arguments.
 * @throws Failure('bad-input') if the layers do not fit together, 'unsupported' if names collide
 */
export function pytorchCode(model: Model): string {
  const { imports, classes, name } = pytorchModule(model);
  return `${heading(model)}
# Parameter names match wgrad's weight files:
# model.load_state_dict(safetensors.torch.load_file("weights.safetensors"))
${imports}

${classes}


${startText(model)}if __name__ == "__main__":
    model = ${name}()${startText(model) ? '\n    start(model)' : ''}
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters")
    images = torch.zeros(2, ${model.input.join(', ')})
    print(tuple(model(images).shape))
`;
}

/** The parts of a Python module that defines a model. */
export interface PytorchModule {
  imports: string;
  /** The network's class is the last one. */
  classes: string;
  /** The network's class. */
  name: string;
  /** Layers with parameters, in the order of the network's `parameters()`. */
  layers: readonly string[];
}

/** @throws Failure as `pytorchCode` */
export function pytorchModule(model: Model): PytorchModule {
  const layers = sourceLayers(model);
  const tree = moduleTree(layers);
  const writer = new Writer(layers);
  const root = writer.classOf(tree);
  const name = writer.nameClasses(root, className(model.title, 'Network'));
  const classes = writer.classesText();
  const helper = classes.includes('mean_inside(') ? `${MEAN_INSIDE}\n\n\n` : '';
  const functional = classes.includes('F.') || helper ? 'from torch.nn import functional as F\n' : '';
  return {
    imports: `import torch\nfrom torch import nn\n${functional}`,
    classes: helper + classes,
    name,
    layers: keptIn(tree, layers),
  };
}

const keptIn = ({ layer, children }: SourceModule, layers: readonly SourceLayer[]): string[] =>
  layer === undefined
    ? [...children.values()].flatMap((child) => keptIn(child, layers))
    : layers[layer].keeps
      ? [layers[layer].name]
      : [];

/** Initialisation, where it differs from PyTorch's default. */
function startText({ weightsInit = 'kaiming_uniform' }: Model): string {
  const [weights, kinds] = {
    kaiming_uniform: ['', ''],
    kaiming_normal: [
      'nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")',
      'nn.Conv2d',
    ],
    kaiming_normal_fan_in: [
      'nn.init.kaiming_normal_(module.weight, nonlinearity="relu")',
      '(nn.Conv2d, nn.Linear)',
    ],
    xavier_uniform: ['nn.init.xavier_uniform_(module.weight)', '(nn.Conv2d, nn.Linear)'],
    xavier_normal: ['nn.init.xavier_normal_(module.weight)', '(nn.Conv2d, nn.Linear)'],
    dirac: [
      `for filters in module.weight.data.chunk(module.groups):
                nn.init.dirac_(filters[: filters.shape[1]])`,
      'nn.Conv2d',
    ],
  }[weightsInit];
  if (weights === '') return '';
  return `def start(model):
    """Initialises the parameters."""
    for module in model.modules():
        if isinstance(module, ${kinds}):
            ${weights}
        if isinstance(module, (nn.Conv2d, nn.Linear)) and module.bias is not None:
            nn.init.zeros_(module.bias)


`;
}

/** A number in a class's text that may differ between uses. */
interface Hole {
  value: string;
  /** The argument's name: "out_channels". */
  role: string;
  /** The path of names from the class to the layer. */
  path: string[];
}

/** An expression that constructs a module. */
type Expression =
  | { kind: 'leaf'; parts: (string | Hole)[] }
  | { kind: 'sequential'; items: Expression[] }
  | { kind: 'dict'; items: [name: string, item: Expression][] }
  | { kind: 'class'; of: ClassUse };

interface ClassUse {
  key: string;
  holes: Hole[];
  fields: [name: string, expression: Expression][];
  forward: string[];
  stem: string;
}

/** All uses of one structure. */
interface Class {
  name: string;
  uses: ClassUse[];
  /** For each hole: its argument, or undefined if all uses have the same number. */
  parameters: (string | undefined)[];
}

class Writer {
  /** In the order of their text. */
  private readonly classes = new Map<string, Class>();

  constructor(private readonly layers: readonly SourceLayer[]) {}

  /** A module with its own class. */
  classOf(module: SourceModule): ClassUse {
    const fields = this.fieldsOf(module);
    const forward = forwardLines(this.layers, module);
    const key = JSON.stringify([fields.map(([name, one]) => [name, keyOf(one)]), forward]);
    const holes = fields.flatMap(([name, one]) =>
      holesOf(one).map((hole) => ({ ...hole, path: [name, ...hole.path] })),
    );
    const ops = new Set(module.layers.map((i) => this.layers[i].op));
    const stem = ops.has('add')
      ? 'ResidualBlock'
      : ops.has('concat')
        ? 'Branches'
        : ops.has('conv')
          ? 'ConvUnit'
          : 'Unit';
    const use = { key, holes, fields, forward, stem };
    const known = this.classes.get(key);
    if (known) known.uses.push(use);
    else this.classes.set(key, { name: '', uses: [use], parameters: [] });
    return use;
  }

  private fieldsOf(module: SourceModule): [string, Expression][] {
    return [...module.children.values()].flatMap((child): [string, Expression][] => {
      const expression = this.expressionOf(child);
      return expression ? [[child.name, expression]] : [];
    });
  }

  /** The expression that constructs a module; undefined for modules without state, which are computed in place. */
  private expressionOf(module: SourceModule): Expression | undefined {
    if (module.layer !== undefined) {
      const layer = this.layers[module.layer];
      return layer.keeps ? moduleOf(layer) : undefined;
    }
    if (!module.closed) {
      const items = this.fieldsOf(module);
      const odd = items.find(([name]) => !isAttribute(name) && !/^\d+$/.test(name));
      if (odd)
        throw new Failure(
          'unsupported',
          `PyTorch has no modules named “${odd[0]}”`,
          'Give the layer another name.',
        );
      return items.length > 0 ? { kind: 'dict', items } : undefined;
    }
    return this.sequentialOf(module) ?? { kind: 'class', of: this.classOf(module) };
  }

  /** Children with increasing numbers; missing numbers leave gaps. */
  private sequentialOf(module: SourceModule): Expression | undefined {
    const children = [...module.children.values()];
    const numbers = children.map(({ name }) => (/^(0|[1-9]\d{0,2})$/.test(name) ? Number(name) : -1));
    const ordered = numbers.every((number, i) => number > (numbers[i - 1] ?? -1));
    const follow = children.every(({ layer, closed, layers: [first] }, i) => {
      const sources = new Set(
        children[i].layers.flatMap((one) => this.layers[one].sources.filter((source) => source < first)),
      );
      const before = i === 0 ? undefined : children[i - 1].layers.at(-1);
      const inLine = sources.size === 1 && (before === undefined || sources.has(before));
      return inLine && (closed || layer !== undefined);
    });
    if (!ordered || !follow) return undefined;
    const items: Expression[] = [];
    for (const [i, child] of children.entries()) {
      if (child.layer !== undefined && padsApart(this.layers[child.layer])) return undefined;
      while (items.length < numbers[i]) items.push({ kind: 'leaf', parts: ['nn.Identity()'] });
      const item = child.layer === undefined ? this.expressionOf(child) : moduleOf(this.layers[child.layer]);
      if (!item) return undefined;
      items.push(item);
    }
    return { kind: 'sequential', items };
  }

  /** Gives classes their names and arguments. @returns the root's name */
  nameClasses(root: ClassUse, name: string): string {
    const taken = new Set(['nn', 'F', 'torch']);
    const unique = (stem: string) => {
      let own = stem;
      for (let n = 2; taken.has(own); n++) own = `${stem}${n}`;
      taken.add(own);
      return own;
    };
    const rootName = unique(name);
    for (const one of this.classes.values()) {
      one.name = one.uses.includes(root) ? rootName : unique(one.uses[0].stem);
      one.parameters = parametersOf(one.uses);
    }
    return rootName;
  }

  classesText(): string {
    return [...this.classes.values()].map((one) => this.classText(one)).join('\n\n\n');
  }

  private classText({ name, uses: [use], parameters }: Class): string {
    const own = [...new Set(parameters.filter((one) => one !== undefined))];
    let at = 0;
    const value = () => {
      const text = parameters[at] ?? use.holes[at].value;
      at++;
      return text;
    };
    const fields = use.fields.map(([field, expression]) => {
      const target = isAttribute(field) ? `self.${field}` : `self._modules[${quoted(field)}]`;
      return `        ${target} = ${this.text(expression, value, '        ')}`;
    });
    const init = [
      `    def __init__(self${own.map((one) => `, ${one}`).join('')}):`,
      '        super().__init__()',
      ...fields,
    ];
    const forward = ['    def forward(self, x):', ...use.forward.map((line) => `        ${line}`)];
    return `class ${name}(nn.Module):\n${init.join('\n')}\n\n${forward.join('\n')}`;
  }

  /** @param value the next hole's text */
  private text(expression: Expression, value: () => string, indent: string): string {
    const deeper = `${indent}    `;
    switch (expression.kind) {
      case 'leaf':
        return expression.parts.map((part) => (typeof part === 'string' ? part : value())).join('');
      case 'sequential': {
        const items = expression.items.map((item) => `${deeper}${this.text(item, value, deeper)},\n`);
        return `nn.Sequential(\n${items.join('')}${indent})`;
      }
      case 'dict': {
        const items = expression.items.map(
          ([name, item]) => `${deeper}${quoted(name)}: ${this.text(item, value, deeper)},\n`,
        );
        return `nn.ModuleDict({\n${items.join('')}${indent}})`;
      }
      case 'class': {
        const { name, parameters } = this.classes.get(expression.of.key) as Class;
        const given = new Map<string, string>();
        for (const parameter of parameters) {
          const text = value();
          if (parameter !== undefined) given.set(parameter, text);
        }
        return `${name}(${[...given.values()].join(', ')})`;
      }
    }
  }
}

/** The layer's module; undefined if PyTorch has none. */
function moduleOf(layer: SourceLayer): Expression | undefined {
  const parts = modulePartsOf(layer);
  return (
    parts && {
      kind: 'leaf',
      parts: parts.map((part) => (typeof part === 'string' ? part : { ...part, path: [] })),
    }
  );
}

/** Equal for modules that differ in numbers only. */
function keyOf(expression: Expression): unknown {
  switch (expression.kind) {
    case 'leaf':
      return expression.parts.map((part) => (typeof part === 'string' ? part : 0));
    case 'sequential':
      return expression.items.map(keyOf);
    case 'dict':
      return expression.items.map(([name, item]) => [name, keyOf(item)]);
    case 'class':
      return expression.of.key;
  }
}

/** Its numbers, in the order of the text. */
function holesOf(expression: Expression): Hole[] {
  const within = (name: string, item: Expression) =>
    holesOf(item).map((hole) => ({ ...hole, path: [name, ...hole.path] }));
  switch (expression.kind) {
    case 'leaf':
      return expression.parts.filter((part) => typeof part !== 'string');
    case 'sequential':
      return expression.items.flatMap((item, i) => within(String(i), item));
    case 'dict':
      return expression.items.flatMap(([name, item]) => within(name, item));
    case 'class':
      return expression.of.holes;
  }
}

/** Names for the numbers in which the uses of a class differ; numbers that always agree share a name. */
function parametersOf(uses: readonly ClassUse[]): (string | undefined)[] {
  const groups = new Map<string, Hole[]>();
  const keys = uses[0].holes.map((hole, i) => {
    const values = uses.map(({ holes }) => holes[i].value);
    const key = values.join('|');
    if (values.every((value) => value === values[0])) return undefined;
    groups.set(key, [...(groups.get(key) ?? []), hole]);
    return key;
  });
  const plain = (holes: readonly Hole[]) => {
    const roles = new Set(holes.map(({ role }) => role));
    return roles.has('in_channels') && roles.has('out_channels') ? 'channels' : holes[0].role;
  };
  const wanted = [...groups.values()].map(plain);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const [key, holes] of groups) {
    const simple = plain(holes);
    const alone = wanted.filter((one) => one === simple).length === 1;
    const words = alone ? simple : holes[0].path.join('_').replace(/\W/g, '_');
    const stem = /^[a-z]\w*$/.test(words) ? words : `n_${words}`;
    let name = stem;
    for (let n = 2; taken.has(name); n++) name = `${stem}_${n}`;
    taken.add(name);
    names.set(key, name);
  }
  return keys.map((key) => (key === undefined ? undefined : names.get(key)));
}
