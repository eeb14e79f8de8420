/** The body of a PyTorch module's `forward`: its layers and inner modules in order, in few readable lines. */
import type { SourceModule } from './modules.ts';
import { expressionOf, paddedInput } from './ops.ts';
import { quoted, type SourceLayer, variable } from './source.ts';

/** A layer or an inner module, as one call. */
interface Call {
  /** The layer whose output it is. */
  output: number;
  /** Indices of its inputs; anything before the module is the module's input. */
  sources: number[];
  text(inputs: readonly string[]): string;
  /** Readable around another call. */
  light: boolean;
}

/** The deepest nesting of calls. */
const DEEPEST = 3;
const HEAVY = new Set(['conv', 'linear', 'concat']);

export function forwardLines(layers: readonly SourceLayer[], module: SourceModule): string[] {
  const calls = callsOf(layers, module, []).toSorted((a, b) => a.output - b.output);
  const [first] = module.layers;
  const given = (source: number) => Math.max(source, first - 1);
  const uses = new Map<number, number>();
  for (const { sources } of calls)
    for (const one of sources) uses.set(given(one), (uses.get(given(one)) ?? 0) + 1);
  const names = new Map([[first - 1, 'x']]);
  const lines: string[] = [];
  let open: { of: number; text: string; depth: number } | undefined;
  calls.forEach((call, i) => {
    const texts = call.sources.map((source) =>
      open?.of === source ? open.text : (names.get(given(source)) as string),
    );
    const depth = 1 + (open ? open.depth : 0);
    const text = call.text(texts);
    for (const source of call.sources) {
      const left = (uses.get(given(source)) ?? 0) - 1;
      uses.set(given(source), left);
      if (left === 0) names.delete(given(source));
    }
    open = undefined;
    if (i === calls.length - 1) {
      lines.push(`return ${text}`);
      return;
    }
    const next = calls[i + 1];
    const once = uses.get(call.output) === 1 && next.sources.includes(call.output);
    if (once && next.light && depth < DEEPEST) {
      open = { of: call.output, text, depth };
      return;
    }
    const taken = new Set(names.values());
    const name = variable(taken);
    names.set(call.output, name);
    lines.push(`${name} = ${text}`);
  });
  return lines;
}

/** @param path names, from the module that the body belongs to */
function callsOf(layers: readonly SourceLayer[], module: SourceModule, path: readonly string[]): Call[] {
  return [...module.children.values()].flatMap((child): Call[] => {
    const own = [...path, child.name];
    if (child.layer !== undefined) {
      const layer = layers[child.layer];
      const { sources, keeps, op } = layer;
      const text = (inputs: readonly string[]) =>
        keeps
          ? `${access(own)}(${inputs.map((input) => paddedInput(layer, input)).join(', ')})`
          : expressionOf(layer, inputs);
      return [{ output: child.layer, sources: [...sources], text, light: !HEAVY.has(op) }];
    }
    if (!child.closed) return callsOf(layers, child, own);
    const [first] = child.layers;
    const last = child.layers[child.layers.length - 1];
    const outside = child.layers.flatMap((i) => layers[i].sources.filter((source) => source < first));
    const text = (inputs: readonly string[]) => `${access(own)}(${inputs.join(', ')})`;
    return [{ output: last, sources: [outside[0]], text, light: false }];
  });
}

/** self.block["conv1"]: an attribute of the module, and names in dictionaries. */
const access = ([first, ...rest]: readonly string[]): string =>
  [
    isAttribute(first) ? `self.${first}` : `self._modules[${quoted(first)}]`,
    ...rest.map((name) => `[${quoted(name)}]`),
  ].join('');

const KEYWORDS =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield';
/** Names that nn.Module and nn.ModuleDict define already. */
const MEMBERS =
  'add_module apply bfloat16 buffers call_super_init children clear compile cpu cuda double dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu items keys load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters pop register_backward_hook register_buffer register_forward_hook register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to to_empty train training type update values xpu zero_grad';
const RESERVED = new Set([...KEYWORDS.split(' '), ...MEMBERS.split(' ')]);

/** Whether a module can have an attribute of this name. */
export const isAttribute = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && !RESERVED.has(name);
