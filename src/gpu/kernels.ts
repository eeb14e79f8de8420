import { Failure } from '../base/result.ts';
import type { Device } from './device.ts';
import { readInterface, type Binding, type ShaderInterface } from './interface.ts';
import { filesOf, link, whereIs, type Constants, type LinkedShader } from './link.ts';
import { fetchShaders, fingerprint, isFetchedLater, shaderNames, shaderSource } from './sources.ts';

/** A shader file with values for its constants: the source of a pipeline. */
export interface KernelSource {
  /**
   * The path below shaders/, without the extension, and after colons the parts that complete it:
   * "activation/forward:gelu". See link.ts. The entry point is `main`.
   */
  shader: string;
  constants?: Constants;
}

export interface Kernel {
  source: KernelSource;
  interface: ShaderInterface;
  pipeline: GPUComputePipeline;
  /** By group. */
  layouts: GPUBindGroupLayout[];
  generation: number;
}

/** A kernel that this device does not compile. The message names the file and line, where they are known. */
export class ShaderFailure extends Failure {
  /** @param shader of the kernel's source */
  constructor(
    readonly shader: string,
    message: string,
    advice?: string,
  ) {
    super('shader', message, advice);
  }
}

/** Declares SHUFFLES; a workgroup then has a whole subgroup. */
const SUMS = 'common/shared_sum';
const SUBGROUP = 32;

/** Group 0 belongs to the kernel; group 1 is the per-step data, bound at an offset into a ring. */
export const STEP_GROUP = 1;

/** How many pipelines are ready, of those requested since the last time that all were. */
export interface KernelProgress {
  done: number;
  total: number;
}

interface Entry {
  kernel: Promise<Kernel>;
  /** The shader files that it is built from, including imports. */
  files: ReadonlySet<string>;
}

/** Pipelines that are kept for the next plan: a session in the Lab would otherwise collect thousands. */
const MAX_KEPT = 1000;

/** Pipelines by their text. Those used last are kept, and created once per device. */
export class KernelCache {
  private readonly kernels = new Map<string, Entry>();
  private readonly layouts = new Map<string, GPUBindGroupLayout>();
  private readonly replaced = new Map<string, string>();
  private fingerprint: string | undefined;
  /** The number of pipelines created since the device was opened. */
  made = 0;
  /** Called when a pipeline is requested, and when one is ready. */
  onProgress: ((progress: KernelProgress) => void) | undefined;
  private progress: KernelProgress = { done: 0, total: 0 };

  /** @param read returns a shader's text by name; tests have their own shaders */
  constructor(
    private readonly device: Device,
    private readonly read: (name: string) => string = shaderSource,
  ) {}

  /**
   * The current WGSL of a shader file, with replacements. @param name its path below shaders/, without the extension
   */
  sourceOf(name: string): string {
    return this.replaced.get(name) ?? this.read(name);
  }

  /** Names of the files that a kernel is built from: its own first, then all imports. */
  filesOf(name: string): string[] {
    return filesOf(name, (file) => this.sourceOf(file));
  }

  /**
   * Fingerprint of the current text of all shader files: measurements with other texts do not apply. Call `fetchShaders`
   * first.
   */
  get version(): string {
    const names = [...new Set([...shaderNames(), ...this.replaced.keys()])].sort();
    return (this.fingerprint ??= fingerprint(names.flatMap((name) => [name, this.sourceOf(name)])));
  }

  /** Names of the shader files that are currently replaced. */
  get replacedNames(): string[] {
    return [...this.replaced.keys()].sort();
  }

  /**
   * Replaces a shader file by `text` in every kernel created from now on, also as an import. Kernels of compiled plans
   * do not change.
   * @param name an existing file's, or a new one
   * @param text undefined restores the file's own text
   */
  replaceSource(name: string, text: string | undefined): void {
    this.fingerprint = undefined;
    if (text === undefined) this.replaced.delete(name);
    else this.replaced.set(name, text);
    for (const [key, { files }] of this.kernels) {
      if (files.has(name)) this.kernels.delete(key);
    }
  }

  /** Fetches the shader files that these kernels need and that are not here yet: `get` then asks the device at once. */
  async fetch(sources: readonly KernelSource[]): Promise<void> {
    const different = [...new Map(sources.map((source) => [keyOf(source), source])).values()];
    for (;;) {
      const missing = different.flatMap(({ shader, constants = {} }) =>
        this.missingFilesOf(shader, constants),
      );
      if (missing.length === 0) return;
      await fetchShaders(missing);
    }
  }

  async get(source: KernelSource): Promise<Kernel> {
    const { shader, constants = {} } = source;
    const key = keyOf(source);
    const known = this.kernels.get(key);
    if (known) {
      this.keep(key, known);
      return known.kernel;
    }
    if (this.missingFilesOf(shader, constants).length > 0) {
      await this.fetch([source]);
      return this.get(source);
    }
    const linked = link(shader, this.withOwn(shader, constants), (name) => this.sourceOf(name));
    const entry = {
      kernel: this.counted(this.make(source, linked)),
      files: new Set(linked.lines.map((line) => line.file)),
    };
    this.keep(key, entry);
    // A failure may be the device's loss; the next request tries again.
    entry.kernel.catch(() => {
      if (this.kernels.get(key) === entry) this.kernels.delete(key);
    });
    return entry.kernel;
  }

  /** Those that have to be fetched first; their own imports are not known before. */
  private missingFilesOf(shader: string, constants: Constants): string[] {
    const isMissing = (file: string) => isFetchedLater(file) && !this.replaced.has(file);
    const read = (file: string) => (isMissing(file) ? '' : this.sourceOf(file));
    return filesOf(shader, read, this.withOwn(shader, constants, read)).filter(isMissing);
  }

  /** The constants of a kernel, with those that depend on the device alone. */
  private withOwn(
    shader: string,
    constants: Constants,
    read = (file: string) => this.sourceOf(file),
  ): Constants {
    const shuffles = this.device.adapter.shuffles && Number(constants['THREADS'] ?? Infinity) >= SUBGROUP;
    return shuffles && filesOf(shader, read, constants).includes(SUMS)
      ? { ...constants, SHUFFLES: true }
      : constants;
  }

  /** As the one used last. */
  private keep(key: string, entry: Entry): void {
    this.kernels.delete(key);
    this.kernels.set(key, entry);
    if (this.kernels.size <= MAX_KEPT) return;
    for (const oldest of this.kernels.keys()) {
      this.kernels.delete(oldest);
      break;
    }
  }

  private async counted(kernel: Promise<Kernel>): Promise<Kernel> {
    const { done, total } = this.progress;
    const isNew = done === total;
    this.report({ done: isNew ? 0 : done, total: (isNew ? 0 : total) + 1 });
    try {
      return await kernel;
    } finally {
      this.report({ ...this.progress, done: this.progress.done + 1 });
    }
  }

  private report(progress: KernelProgress): void {
    this.progress = progress;
    this.onProgress?.(progress);
  }

  private async make(source: KernelSource, linked: LinkedShader): Promise<Kernel> {
    const name = source.shader;
    this.made++;
    const { raw, generation } = this.device;
    const shape = readInterface(name, linked.code);
    const storage = shape.bindings.filter(({ kind }) => kind !== 'uniform').length;
    const most = this.device.limit('maxStorageBuffersPerShaderStage');
    // A layout with too many does not say so when a pipeline is made with it.
    if (storage > most) {
      throw new ShaderFailure(
        name,
        `kernel ${name} binds ${storage} storage buffers; this device allows ${most}`,
      );
    }
    const layouts = this.layoutsOf(shape);
    this.device.requireAlive();
    // The scope prevents the error from being reported a second time, as unexpected.
    raw.pushErrorScope('validation');
    const module = raw.createShaderModule({ label: name, code: linked.code });
    const scope = raw.popErrorScope();
    // Asked for at once: a device that compiles many says late what is wrong with each.
    const making = raw.createComputePipelineAsync({
      label: name,
      layout: raw.createPipelineLayout({ bindGroupLayouts: layouts }),
      compute: { module, entryPoint: 'main' },
    });
    // The module's errors, below, say more.
    making.catch(() => undefined);
    const errors = (await module.getCompilationInfo()).messages.filter((message) => message.type === 'error');
    await scope.catch(() => this.device.requireAlive());
    this.device.requireAlive();
    if (errors.length > 0) throw compileFailure(name, linked, errors);
    try {
      return { source, interface: shape, pipeline: await making, layouts, generation };
    } catch (error) {
      this.device.requireAlive();
      throw new ShaderFailure(name, `kernel ${name}: no pipeline: ${(error as Error).message}`);
    }
  }

  private layoutsOf({ bindings }: ShaderInterface): GPUBindGroupLayout[] {
    const groups = Math.max(0, ...bindings.map((binding) => binding.group)) + 1;
    return Array.from({ length: groups }, (_, group) =>
      this.layout(bindings.filter((b) => b.group === group)),
    );
  }

  private layout(bindings: readonly Binding[]): GPUBindGroupLayout {
    const key = bindings.map((b) => `${b.group === STEP_GROUP ? 'step' : ''}${b.binding}${b.kind}`).join();
    let layout = this.layouts.get(key);
    if (!layout) {
      layout = this.device.raw.createBindGroupLayout({
        entries: bindings.map((b) => ({
          binding: b.binding,
          visibility: GPUShaderStage.COMPUTE,
          buffer: {
            type: b.kind === 'uniform' ? 'uniform' : b.kind === 'read' ? 'read-only-storage' : 'storage',
            hasDynamicOffset: b.group === STEP_GROUP,
          },
        })),
      });
      this.layouts.set(key, layout);
    }
    return layout;
  }
}

/** Of kernels with the same code. */
function keyOf({ shader, constants = {} }: KernelSource): string {
  const names = Object.keys(constants).sort();
  return `${shader}|${JSON.stringify(names.map((name) => [name, constants[name]]))}`;
}

function compileFailure(name: string, linked: LinkedShader, errors: GPUCompilationMessage[]): ShaderFailure {
  const places = errors.map(({ lineNum, linePos, message }) => {
    const text = linked.lines[lineNum - 1]?.text.trim() ?? '';
    return `${whereIs(linked, lineNum, linePos)}: ${message}\n    ${text}`;
  });
  return new ShaderFailure(
    name,
    places.join('\n'),
    'This is a bug in wgrad or in the driver; other algorithms may work.',
  );
}
