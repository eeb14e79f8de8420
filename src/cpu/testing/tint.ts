/** What Tint, the compiler of WGSL in Chrome and Dawn, says of a program: asked of Dawn's null backend, which needs no GPU. */

/** Dawn crashes if what opened a device is collected while that is alive. */
const kept: unknown[] = [];

/** Opens Tint. What it returns gives the errors of a program; none if Tint takes it. */
export async function openTint(): Promise<(code: string) => Promise<string[]>> {
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  const gpu = create(['backend=null']);
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error('Dawn has no null backend');
  const device = await adapter.requestDevice();
  kept.push(gpu, adapter, device);
  return async (code) => {
    device.pushErrorScope('validation');
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    await device.popErrorScope();
    return messages.flatMap(({ type, lineNum, message }) =>
      type === 'error' ? [`${lineNum}: ${message}`] : [],
    );
  };
}
