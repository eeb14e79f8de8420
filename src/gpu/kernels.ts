import { Failure } from '../base/result.ts';
import type { Device } from './device.ts';
import { readInterface, type Binding, type ShaderInterface } from './interface.ts';
import { link, whereIs, type Constants, type LinkedShader } from './link.ts';
import { shaderSource } from './sources.ts';

/** A shader file with values for its constants: what a pipeline is made from. */
export interface KernelSource {
  /** Path below shaders/, without the ending. The entry point is `main`. */
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

/** Group 0 is a kernel's own; group 1 is what changes every step, bound at an offset into a ring. */
export const STEP_GROUP = 1;

/** Pipelines by their text, made once a device. */
export class KernelCache {
  private readonly kernels = new Map<string, Promise<Kernel>>();
  private readonly layouts = new Map<string, GPUBindGroupLayout>();
  /** Pipelines made since the device was opened. */
  made = 0;

  /** @param read answers a shader's text by name; tests have shaders of their own */
  constructor(
    private readonly device: Device,
    private readonly read: (name: string) => string = shaderSource,
  ) {}

  get(source: KernelSource): Promise<Kernel> {
    const key = `${source.shader}|${JSON.stringify(Object.entries(source.constants ?? {}).sort())}`;
    let kernel = this.kernels.get(key);
    if (!kernel) {
      kernel = this.make(source);
      this.kernels.set(key, kernel);
      // A failure may be the device's loss; the next asker gets a fresh try.
      kernel.catch(() => this.kernels.delete(key));
    }
    return kernel;
  }

  private async make(source: KernelSource): Promise<Kernel> {
    const linked = link(source.shader, source.constants ?? {}, this.read);
    const name = source.shader;
    this.made++;
    const { raw, generation } = this.device;
    const shape = readInterface(name, linked.code);
    const layouts = this.layoutsOf(shape);
    this.device.requireAlive();
    // The scope keeps the error from being reported a second time, as one that nobody expected.
    raw.pushErrorScope('validation');
    const module = raw.createShaderModule({ label: name, code: linked.code });
    const scope = raw.popErrorScope();
    const errors = (await module.getCompilationInfo()).messages.filter((message) => message.type === 'error');
    await scope.catch(() => this.device.requireAlive());
    this.device.requireAlive();
    if (errors.length > 0) throw compileFailure(linked, errors);
    try {
      const pipeline = await raw.createComputePipelineAsync({
        label: name,
        layout: raw.createPipelineLayout({ bindGroupLayouts: layouts }),
        compute: { module, entryPoint: 'main' },
      });
      return { source, interface: shape, pipeline, layouts, generation };
    } catch (error) {
      this.device.requireAlive();
      throw new Failure('shader', `shaders/${name}.wgsl: no pipeline: ${(error as Error).message}`);
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

function compileFailure(linked: LinkedShader, errors: GPUCompilationMessage[]): Failure {
  const places = errors.map(({ lineNum, message }) => {
    const text = linked.lines[lineNum - 1]?.text.trim() ?? '';
    return `${whereIs(linked, lineNum)}: ${message}\n    ${text}`;
  });
  return new Failure(
    'shader',
    places.join('\n'),
    'This is a mistake in wgrad or in the driver; other algorithms may work.',
  );
}
