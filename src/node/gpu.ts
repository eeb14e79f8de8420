/**
 * WebGPU for Node: Dawn, from the `webgpu` package, or the CPU engine. Dawn's adapter is the machine's GPU, or else
 * SwiftShader, the software GPU that every Chrome and Chromium for Linux contains. (macOS and Windows always have GPU
 * drivers.)
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Failure } from '../base/result.ts';
import {
  adapterName,
  CPU_ARCHITECTURE,
  LIMITS,
  openDevice,
  requestAdapter,
  type Device,
  type Limits,
} from '../gpu/device.ts';
import { nodeCpu } from './cpu.ts';
export { computeAlike } from '../cpu/device/threads.ts';
import { pollGently } from './polling.ts';

/**
 * Dawn rounds timestamps to 0.1 ms against timing attacks by web pages; here the code is trusted. For experiments,
 * WGRAD_DAWN_FEATURES enables features of Dawn by name: vulkan_enable_f16_on_nvidia enables 16-bit floats, which Dawn
 * otherwise disables for NVIDIA's driver on Linux (https://crbug.com/42251215).
 */
function dawnOptions(disabled: readonly string[]): string[] {
  const requested = process.env['WGRAD_DAWN_FEATURES'];
  const off = `disable-dawn-features=${['timestamp_quantization', ...disabled].join()}`;
  return requested ? [off, `enable-dawn-features=${requested}`] : [off];
}

/**
 * SwiftShader compiles the extension's zeros into a store for every word of workgroup memory: three quarters of what it
 * compiles for kernels that have much of it. Without the extension Dawn clears that memory by loops.
 */
const SLOW_ON_SWIFTSHADER = ['use_vulkan_zero_initialize_workgroup_memory_extension'];

const ADVICE =
  process.platform === 'linux'
    ? 'Install a Vulkan driver for the GPU, or Chrome or Chromium, whose software GPU serves too ' +
      '(apt-get install chromium, or npx playwright install chromium). A Chrome in an unusual place is found by CHROME_PATH.'
    : 'Update the graphics driver.';

/** What computes: the GPU through Dawn, or the processor (src/cpu). */
export const ENGINES = ['gpu', 'cpu'] as const;
export type Engine = (typeof ENGINES)[number];

const opened = new Map<Engine, Promise<GPU>>();

/**
 * An engine; by default the one that WGRAD_ENGINE names, else the GPU. The GPU is this machine's, or SwiftShader if there is
 * none or WGRAD_ADAPTER=swiftshader requests it. There is one object per process and engine, which stays referenced: Dawn crashes if it is collected while anything created by it is alive.
 * Not for worker threads: the Vulkan loader does not see their copy of the environment. Throws Failure('no-webgpu')
 * saying what to install.
 */
export function nodeGpu(engine = wantedEngine()): Promise<GPU> {
  const gpu = opened.get(engine) ?? (engine === 'cpu' ? Promise.resolve(nodeCpu()) : openGpu());
  opened.set(engine, gpu);
  return gpu;
}

/** The engine that WGRAD_ENGINE names, else the GPU. @throws Failure('bad-input') if it names another */
export function wantedEngine(): Engine {
  return environmentChoice('WGRAD_ENGINE', ENGINES, 'gpu');
}

export interface DeviceOptions {
  /** Default: those that WGRAD_LIMITS names, else the adapter's. */
  limits?: Limits | undefined;
  /** Default: see `wantedEngine`. */
  engine?: Engine | undefined;
}

/**
 * A device on `nodeGpu`. WGRAD_LIMITS=default gives it only WebGPU's default limits, WGRAD_LIMITS=compatibility only those
 * of compatibility mode.
 */
export async function openNodeDevice({
  engine,
  limits = environmentChoice('WGRAD_LIMITS', LIMITS, 'adapter'),
}: DeviceOptions = {}): Promise<Device> {
  return openDevice(await nodeGpu(engine), limits);
}

/** What an environment variable says. @throws Failure('bad-input') if it says something else */
function environmentChoice<T extends string>(variable: string, known: readonly T[], usual: T): T {
  const said = process.env[variable];
  const found = said === undefined ? usual : known.find((one) => one === said);
  if (found) return found;
  const names = known.map((one) => `"${one}"`).join(', ');
  throw new Failure('bad-input', `${variable} is "${said}"`, `It may be ${names} or not set.`);
}

/** The adapter's name with its driver, as recorded in results: "NVIDIA H200 (driver 570.86.15)". */
export async function adapterLabel(engine?: Engine): Promise<string> {
  const found = await requestAdapter(await nodeGpu(engine));
  if (!found) throw new Failure('no-webgpu', 'The GPU is no longer available.', ADVICE);
  const { adapter } = found;
  const name = adapterName(adapter.info);
  if (adapter.info.architecture === CPU_ARCHITECTURE) return `${name} (${adapter.info.description})`;
  if (adapter.info.architecture === 'swiftshader') return `${name} (software)`;
  // "NVIDIA: 570.86.15 570.86.15.0": the driver's name, its version as its vendor writes it, and as Vulkan does.
  const driver = /\d[\d.]*/.exec(adapter.info.description)?.[0];
  return driver ? `${name} (driver ${driver})` : name;
}

async function openGpu(): Promise<GPU> {
  const requested = process.env['WGRAD_ADAPTER'];
  if (requested !== undefined && requested !== 'swiftshader') {
    throw new Failure('bad-input', `WGRAD_ADAPTER is "${requested}"`, 'It may be "swiftshader" or not set.');
  }
  const { create, globals } = await import('webgpu').catch((cause: unknown) => {
    const message = `The package "webgpu" does not load here: ${(cause as Error).message}`;
    throw new Failure('no-webgpu', message, 'Run npm ci; it has builds for Linux, macOS and Windows.', {
      cause,
    });
  });
  // GPUBufferUsage and similar constants.
  Object.assign(globalThis, globals);
  const adapterOf = async (disabled: readonly string[] = []): Promise<GPU | undefined> => {
    // Created again for every try: an instance keeps the Vulkan drivers that it first found.
    const gpu = create(dawnOptions(disabled));
    kept.push(gpu);
    return (await requestAdapter(gpu)) ? gpu : undefined;
  };
  if (process.platform !== 'linux') {
    const gpu = await adapterOf();
    if (gpu) return gpu;
    throw new Failure('no-webgpu', 'No WebGPU-capable GPU found.', ADVICE);
  }

  const chromes = chromeFolders();
  if (!['libvulkan.so.1', ...chromes.map((folder) => join(folder, 'libvulkan.so.1'))].some(bringIn)) {
    throw new Failure('no-webgpu', 'This machine has no Vulkan loader (libvulkan.so.1).', ADVICE);
  }
  if (requested !== 'swiftshader' && hasVulkanDriver()) {
    const gpu = await adapterOf();
    if (gpu) return gpu;
  }
  const driver = chromes
    .map((folder) => join(folder, 'vk_swiftshader_icd.json'))
    .find((file) => existsSync(file));
  if (driver === undefined) {
    throw new Failure(
      'no-webgpu',
      'Found neither a GPU with a Vulkan driver nor SwiftShader on this machine.',
      ADVICE,
    );
  }
  // Newer loaders check the second one first.
  process.env['VK_ICD_FILENAMES'] = driver;
  process.env['VK_DRIVER_FILES'] = driver;
  // Mesa's layer that orders devices complains where nobody is logged in: https://docs.mesa3d.org/envvars.html
  process.env['NODEVICE_SELECT'] = '1';
  pollGently();
  const gpu = await adapterOf(SLOW_ON_SWIFTSHADER);
  if (gpu) return gpu;
  throw new Failure('no-webgpu', `SwiftShader does not start (${driver}).`, ADVICE);
}

/** See nodeGpu. */
const kept: GPU[] = [];

/**
 * Loads a shared library into this process and returns whether it exists. Dawn opens libvulkan.so.1 by name and has no
 * option for its path, but uses a library of that name that is already loaded. Node has no call to load a plain
 * library: `process.dlopen` loads it, then throws because it is not a Node addon, and RTLD_NODELETE keeps it loaded.
 * Remove this when Dawn's package contains a Vulkan loader or accepts a path to one
 * (https://github.com/dawn-gpu/node-webgpu).
 */
function bringIn(library: string): boolean {
  const RTLD_NODELETE = 0x1000;
  try {
    process.dlopen({ exports: {} }, library, constants.dlopen.RTLD_NOW | RTLD_NODELETE);
    return true;
  } catch (error) {
    return /did not self-register/.test((error as Error).message);
  }
}

/**
 * True if a Vulkan driver is registered where the loader looks
 * (https://github.com/KhronosGroup/Vulkan-Loader/blob/main/docs/LoaderDriverInterface.md). Asking Dawn would give the
 * same answer, but prints warnings if there is none.
 */
function hasVulkanDriver(): boolean {
  const { env } = process;
  if (env['VK_DRIVER_FILES'] ?? env['VK_ICD_FILENAMES'] ?? env['VK_ADD_DRIVER_FILES']) return true;
  const home = homedir();
  const roots = [
    env['XDG_CONFIG_HOME'] ?? join(home, '.config'),
    ...(env['XDG_CONFIG_DIRS'] ?? '/etc/xdg').split(delimiter),
    '/etc',
    '/usr/local/etc',
    env['XDG_DATA_HOME'] ?? join(home, '.local/share'),
    ...(env['XDG_DATA_DIRS'] ?? '/usr/local/share:/usr/share').split(delimiter),
    '/usr/local/share',
    '/usr/share',
  ];
  // Mesa's drivers are installed together, on machines without a GPU for the software driver alone, which Dawn refuses.
  const hasGpu = existsSync('/dev/dri');
  const isDriver = (file: string) => file.endsWith('.json') && (hasGpu || !MESA_DRIVER.test(file));
  return roots.some((root) => list(join(root, 'vulkan/icd.d')).some(isDriver));
}

/** Folders of installed Chromes and Chromiums that contain SwiftShader and a Vulkan loader. */
function chromeFolders(): string[] {
  const { env } = process;
  const downloads = env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(homedir(), '.cache/ms-playwright');
  const folders = [
    ...(env['CHROME_PATH'] && existsSync(env['CHROME_PATH'])
      ? [dirname(realpathSync(env['CHROME_PATH']))]
      : []),
    '/usr/lib/chromium',
    '/usr/lib64/chromium',
    '/usr/lib/chromium-browser',
    '/usr/lib64/chromium-browser',
    '/opt/google/chrome',
    '/opt/google/chrome-beta',
    '/opt/google/chrome-unstable',
    '/opt/microsoft/msedge',
    '/snap/chromium/current/usr/lib/chromium-browser',
    // downloads/chromium-1234/chrome-linux64, newest first
    ...list(downloads)
      .filter((name) => name.startsWith('chromium'))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
      .flatMap((name) => list(join(downloads, name)).map((inner) => join(downloads, name, inner))),
  ];
  return folders.filter((folder) => existsSync(join(folder, 'libvk_swiftshader.so')));
}

const MESA_DRIVER = /^(intel|intel_hasvk|radeon|nouveau|virtio|gfxstream|lvp)_icd\b/;

/** The names in a folder; none if it does not exist. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
