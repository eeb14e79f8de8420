import { compileKernel, type CompiledKernel, type KernelRun } from '../compile/kernel.ts';
import { lineAndColumn, SourceError } from '../wgsl/source-error.ts';
import type { Memory } from './memory.ts';

/** Texts whose kernels are kept for other devices: those compiled last, as many as src/gpu/kernels.ts keeps. */
const MAX_KEPT = 1000;

const kept = new Map<string, CompiledKernel>();

/** A device that replaces a lost one, or that works beside another, has the same kernels. @throws SourceError */
function compileOnce(code: string, shared: boolean, watched: boolean): CompiledKernel {
  const key = `${shared} ${watched} ${code}`;
  const compiled = kept.get(key) ?? compileKernel(code, shared, watched);
  kept.delete(key);
  kept.set(key, compiled);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string);
  return compiled;
}

/** What WebAssembly made of kernels, with any memory. */
const modules = new WeakMap<CompiledKernel, Promise<WebAssembly.Module>>();

function moduleOf(compiled: CompiledKernel): Promise<WebAssembly.Module> {
  const module = modules.get(compiled) ?? WebAssembly.compile(compiled.code);
  modules.set(compiled, module);
  return module;
}

/** The part of GPUShaderModule that wgrad uses: a compiled kernel, or why it does not compile. */
export class CpuModule {
  readonly compiled: CompiledKernel | undefined;
  private readonly messages: readonly { type: 'error'; lineNum: number; linePos: number; message: string }[];

  /** @param watched see CpuOptions */
  constructor(code: string, shared: boolean, watched: boolean) {
    try {
      this.compiled = compileOnce(code, shared, watched);
      this.messages = [];
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      const { line, column } = lineAndColumn(code, error.at);
      this.messages = [{ type: 'error', lineNum: line, linePos: column, message: error.message }];
    }
  }

  getCompilationInfo(): Promise<{ messages: CpuModule['messages'] }> {
    return Promise.resolve({ messages: this.messages });
  }
}

/** A kernel that is ready to run. */
export class CpuPipeline {
  /** Workgroups per millisecond, as measured; 0 before. */
  pace = 0;

  private constructor(
    readonly compiled: CompiledKernel,
    readonly module: WebAssembly.Module,
    readonly run: KernelRun,
  ) {}

  static async create(compiled: CompiledKernel, memory: Memory): Promise<CpuPipeline> {
    const module = await moduleOf(compiled);
    const instance = await WebAssembly.instantiate(module, { env: { memory: memory.raw } });
    return new CpuPipeline(compiled, module, instance.exports['run'] as unknown as KernelRun);
  }
}
