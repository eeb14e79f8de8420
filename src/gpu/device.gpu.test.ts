import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeGpu, openNodeDevice } from '../node/gpu.ts';
import { Failure } from '../base/result.ts';
import { openDevice, type Device } from './device.ts';
import { KernelCache } from './kernels.ts';
import { wholeBuffer } from './ledger.ts';
import { Readback } from './readback.ts';
import { refuseOneCommand } from './testing/refused.ts';

let device: Device;
beforeEach(async () => {
  device = await openNodeDevice();
});
afterEach(() => {
  device.destroy();
  expect(device.uncaught).toEqual([]);
});

/** The Failure that `promise` ends with. */
async function failure(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error;
  throw error;
}

describe('buffers', () => {
  it('are counted while they live', async () => {
    const { ledger } = device;
    const a = await ledger.storage('a', 1000);
    const b = await ledger.storage('b', 1);
    expect(ledger).toMatchObject({ buffers: 2, bytes: 1016, made: 2 });
    a.destroy();
    a.destroy();
    expect(ledger).toMatchObject({ buffers: 1, bytes: 16, made: 2 });
    b.destroy();
    expect(ledger).toMatchObject({ buffers: 0, bytes: 0, made: 2 });
  });

  it.each([1, 3, 4, 5, 1023])('hold what was uploaded and give it back: %i bytes', async (bytes) => {
    const data = Uint8Array.from({ length: bytes + 8 }, (_, i) => i + 1).subarray(8);
    const buffer = await device.ledger.upload('data', data);
    const readback = new Readback(device);
    const back = await readback.read({ buffer, offset: 0, bytes });
    expect(new Uint8Array(back)).toEqual(data);
    readback.destroy();
    buffer.destroy();
    expect(device.ledger.buffers).toBe(0);
  });

  it('are read at one moment if they are read together, whatever is written meanwhile', async () => {
    const buffers = await Promise.all(['a', 'b', 'c'].map((name) => device.ledger.storage(name, 4)));
    const readback = new Readback(device);
    // One is read at once, the others need memory first.
    await readback.read(wholeBuffer(buffers[0]));
    const writer = { isWanted: true };
    const writing = (async () => {
      for (let i = 1; writer.isWanted; i++) {
        for (const { raw } of buffers) device.queue.writeBuffer(raw, 0, Uint32Array.of(i));
        // Now and then, more than promises may go on.
        await (i % 100 === 0 ? new Promise((done) => setTimeout(done)) : Promise.resolve());
      }
    })();
    const counts: number[][] = [];
    for (let i = 0; i < 20; i++) {
      const { bytes } = await readback.start(buffers.map(wholeBuffer));
      counts.push((await bytes).map((one) => new Uint32Array(one)[0]));
    }
    writer.isWanted = false;
    await writing;
    for (const [a, ...others] of counts) expect(others).toEqual([a, a]);
    expect(counts.at(-1)?.[0]).toBeGreaterThan(0);
    readback.destroy();
    for (const buffer of buffers) buffer.destroy();
  });

  it('that are allocated while their reader is destroyed are freed, too', async () => {
    const buffer = await device.ledger.storage('numbers', 8);
    const readback = new Readback(device);
    const reading = readback.read(wholeBuffer(buffer));
    readback.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    buffer.destroy();
    expect(device.ledger.buffers).toBe(0);
  });

  it('that do not fit a limit are named in the failure, and nothing is kept', async () => {
    const limit = device.limit('maxBufferSize');
    const error = await failure(device.ledger.storage('columns of conv2', limit + 4));
    expect(error.code).toBe('out-of-memory');
    expect(error.message).toMatch(
      /^buffer "columns of conv2" needs [\d.]+ MiB; this device allows [\d.]+ MiB per buffer$/,
    );
    expect(error.advice).toBe('Choose a smaller batch size or model.');
    expect(device.ledger).toMatchObject({ buffers: 0, bytes: 0, made: 0 });
  });

  it('that find no memory are named in the failure, and nothing is kept', async () => {
    const small = await device.ledger.storage('small', 64);
    // The device's own answer for one allocation stands in for a full GPU, which few machines could be brought to.
    const { raw } = device;
    const real = raw.popErrorScope.bind(raw);
    const spy = vi
      .spyOn(raw, 'popErrorScope')
      .mockImplementationOnce(() => real().then(() => ({ message: 'full' }) as GPUOutOfMemoryError));
    const error = await failure(device.ledger.storage('activations 0', 2 ** 20));
    spy.mockRestore();
    expect(error.code).toBe('out-of-memory');
    expect(error.message).toContain('buffer "activations 0" of 1.0 MiB');
    expect(device.ledger).toMatchObject({ buffers: 1, bytes: 64, made: 1 });
    small.destroy();
  });

  it('that SwiftShader has no memory for leave the device in use', async () => {
    // 1 GiB is within SwiftShader's limits, and more than it has; a GPU mostly has it.
    const bytes = device.limit('maxBufferSize');
    const result = await device.ledger.storage('huge', bytes).catch((error: unknown) => error);
    if (device.adapter.architecture === 'swiftshader' && bytes >= 2 ** 30) {
      expect(result).toMatchObject({ code: 'out-of-memory' });
      expect((result as Failure).message).toContain('buffer "huge" of 1024.0 MiB');
      expect(device.ledger).toMatchObject({ buffers: 0, bytes: 0 });
    }
    const after = await device.ledger.upload('after', Float32Array.of(1, 2));
    expect([...(await new Readback(device).floats(wholeBuffer(after)))].slice(0, 2)).toEqual([1, 2]);
  });

  it('get the blame for their own mistakes, when many are made at once', async () => {
    const made = await Promise.allSettled([
      device.ledger.create('good', 64, GPUBufferUsage.STORAGE),
      device.ledger.create('bad', 64, GPUBufferUsage.MAP_READ | GPUBufferUsage.MAP_WRITE),
      device.ledger.create('fine', 64, GPUBufferUsage.STORAGE),
    ]);
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(made[1]).toMatchObject({ reason: { message: expect.stringContaining('buffer "bad"') as string } });
    expect(device.ledger.buffers).toBe(2);
  });
});

describe('read-back', () => {
  it('keeps its staging buffers', async () => {
    const buffer = await device.ledger.upload('data', new Float32Array(256).fill(7));
    const readback = new Readback(device);
    await readback.floats(wholeBuffer(buffer));
    const { made } = device.ledger;
    for (let i = 0; i < 10; i++) expect((await readback.floats(wholeBuffer(buffer)))[255]).toBe(7);
    expect(device.ledger.made).toBe(made);
  });

  it('reads a part, and many at once', async () => {
    const data = Float32Array.from({ length: 512 }, (_, i) => i);
    const buffer = await device.ledger.upload('data', data);
    const readback = new Readback(device);
    const parts = await Promise.all(
      [0, 64, 128].map((i) => readback.floats({ buffer, offset: 4 * i, bytes: 8 })),
    );
    expect(parts.map((part) => [...part])).toEqual([
      [0, 1],
      [64, 65],
      [128, 129],
    ]);
  });
});

describe('a lost device', () => {
  it('refuses everything afterwards', async () => {
    const buffer = await device.ledger.storage('x', 64);
    const readback = new Readback(device);
    device.destroy();
    expect(await device.lost).toMatchObject({ wanted: true });
    expect(device.isLost).toBe(true);
    expect(() => device.requireAlive()).toThrow(Failure);
    const asked = [
      device.idle(),
      device.ledger.storage('y', 64),
      device.kernels.get({ shader: 'linear/fprop' }),
      readback.read(wholeBuffer(buffer)),
      device.checked('bind groups', () => 1),
    ];
    for (const promise of asked) expect((await failure(promise)).code).toBe('device-lost');
    expect(device.ledger.buffers).toBe(1);
  });

  it('rejects what is under way', async () => {
    const buffer = await device.ledger.storage('x', 64);
    const readback = new Readback(device);
    const asked = [readback.read(wholeBuffer(buffer)), device.ledger.storage('y', 64), device.idle()];
    const failures = asked.map(failure);
    device.destroy();
    for (const { code } of await Promise.all(failures)) expect(code).toBe('device-lost');
  });

  it('rejects a read that had begun', async () => {
    const buffer = await device.ledger.storage('x', 64);
    const readback = new Readback(device);
    await readback.read(wholeBuffer(buffer));
    const reading = failure(readback.read(wholeBuffer(buffer)));
    device.destroy();
    expect((await reading).code).toBe('device-lost');
  });

  it('is what one is that refused a command: nothing is read from it, and the reason is named', async () => {
    const refusing = await openNodeDevice();
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const buffer = await refusing.ledger.upload('x', Float32Array.of(1));
    const readback = new Readback(refusing);
    await readback.read(wholeBuffer(buffer));
    refuseOneCommand(refusing);
    const reading = failure(readback.read(wholeBuffer(buffer)));
    expect(await reading).toMatchObject({ code: 'device-lost' });
    expect(await refusing.lost).toMatchObject({ wanted: false });
    expect((await refusing.lost).message).toMatch(/a GPU command was refused: .+/);
    expect(refusing.uncaught.length).toBeGreaterThan(0);
    expect(complaint).toHaveBeenCalled();
    complaint.mockRestore();
  });

  it('is followed by one of a later generation', async () => {
    device.destroy();
    await device.lost;
    const next = await openNodeDevice();
    expect(next.generation).toBe(device.generation + 1);
    const buffer = await next.ledger.storage('x', 64);
    expect(buffer.generation).toBe(next.generation);
    next.destroy();
  });
});

describe('in compatibility mode', () => {
  /** https://github.com/gpuweb/gpuweb/blob/main/proposals/accepted/compatibility-mode.md#10-lower-limits */
  const LEAST = {
    maxComputeInvocationsPerWorkgroup: 128,
    maxComputeWorkgroupSizeX: 128,
    maxComputeWorkgroupSizeY: 128,
    maxComputeWorkgroupStorageSize: 16384,
    maxComputeWorkgroupsPerDimension: 65535,
    maxStorageBuffersPerShaderStage: 8,
    maxUniformBufferBindingSize: 16384,
    maxStorageBufferBindingSize: 2 ** 27,
    maxBufferSize: 2 ** 28,
  };

  describe('with its limits', () => {
    let least: Device;
    beforeEach(async () => {
      least = await openNodeDevice({ limits: 'compatibility' });
    });
    afterEach(() => least.destroy());

    it('has no more than every device', () => {
      expect(least.adapter.featureLevel).toBe('compatibility');
      const limits = Object.keys(LEAST) as (keyof typeof LEAST)[];
      expect(Object.fromEntries(limits.map((name) => [name, least.limit(name)]))).toEqual(LEAST);
    });

    it.each([
      [
        'threads',
        '@workgroup_size(256) fn main() { y0[0] = 1; }',
        /workgroup_size\(256, 1, 1\).* maximum allowed \(128, 128/,
      ],
      [
        'workgroup memory',
        'var<workgroup> room: array<f32, 5000>;\n@compute @workgroup_size(64) fn main() { y0[0] = room[0]; }',
        /workgroup.*storage.*20000.*16384/,
      ],
      [
        'storage buffers',
        `@workgroup_size(64) fn main() { ${Array.from({ length: 9 }, (_, i) => `y${i}[0] = 1;`).join(' ')} }`,
        /kernel large binds 9 storage buffers; this device allows 8/,
      ],
    ])('refuses a kernel with more %s', async (_, code, reason) => {
      const bindings = Array.from(
        { length: 9 },
        (__, i) => `@group(0) @binding(${i}) var<storage, read_write> y${i}: array<f32>;`,
      );
      const used = bindings.filter((__, i) => code.includes(`y${i}[`)).join('\n');
      const text = `${used}\n${code.includes('@compute') ? code : `@compute ${code}`}`;
      const error = await failure(new KernelCache(least, () => text).get({ shader: 'large' }));
      expect(error.code).toBe('shader');
      expect(error.message).toMatch(reason);
    });
  });

  it('is asked for where there is no core adapter, and gets all that its adapter has', async () => {
    const asked: (string | undefined)[] = [];
    const real = await nodeGpu();
    const weak = {
      requestAdapter(options: GPURequestAdapterOptions) {
        asked.push(options.featureLevel);
        return options.featureLevel === 'core' ? Promise.resolve(null) : real.requestAdapter(options);
      },
    } as unknown as GPU;
    const found = await openDevice(weak);
    expect(asked).toEqual(['core', 'compatibility', 'core']);
    expect(found.adapter.featureLevel).toBe('compatibility');
    expect(found.limit('maxUniformBufferBindingSize')).toBe(65536);
    expect(found.limit('maxComputeInvocationsPerWorkgroup')).toBe(
      Math.min(1024, found.adapter.limits.maxComputeInvocationsPerWorkgroup),
    );
    found.destroy();
  });

  it('is not asked for otherwise, and no limit is above the adapter’s', () => {
    const { adapter } = device;
    expect(adapter.featureLevel).toBe('core');
    for (const name of Object.keys(LEAST) as (keyof typeof LEAST)[]) {
      expect(device.limit(name), name).toBeLessThanOrEqual(adapter.limits[name]);
    }
  });
});

describe('kernels', () => {
  const HEAD = '@group(0) @binding(0) var<storage, read_write> y: array<f32>;\n';
  const kernels = (files: Record<string, string>) => new KernelCache(device, (name) => files[name]);

  it('name the file and line of a mistake, also in what they import', async () => {
    const cache = kernels({
      own: `${HEAD}@compute @workgroup_size(1) fn main() {\n  y[0] = nothing;\n}`,
      importing: `// @import broken\n${HEAD}@compute @workgroup_size(1) fn main() { y[0] = f(); }`,
      broken: '\nfn f() -> f32 {\n  return 1u;\n}',
    });
    const own = await failure(cache.get({ shader: 'own' }));
    expect(own.code).toBe('shader');
    expect(own.message).toMatch(/^shaders\/own\.wgsl:3:\d+: .*nothing.*\n {4}y\[0\] = nothing;$/);
    const imported = await failure(cache.get({ shader: 'importing' }));
    expect(imported.message).toMatch(/^shaders\/broken\.wgsl:3:\d+: /);
  });

  it('name the file where there is no pipeline', async () => {
    const error = await failure(
      kernels({ aside: `${HEAD}fn main() { y[0] = 1; }` }).get({ shader: 'aside' }),
    );
    expect(error.code).toBe('shader');
    expect(error.message).toContain('kernel aside: no pipeline');
  });

  it('are made once for each set of constants, and again after a failure', async () => {
    const files = {
      fill: `${HEAD}const VALUE = 1.0;\n@compute @workgroup_size(1) fn main() { y[0] = VALUE; }`,
    };
    const cache = kernels(files);
    const [a, b, c] = await Promise.all([
      cache.get({ shader: 'fill' }),
      cache.get({ shader: 'fill' }),
      cache.get({ shader: 'fill', constants: { VALUE: 2 } }),
    ]);
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    expect(cache.made).toBe(2);

    const mending = { fill: 'fn main() {' };
    const other = kernels(mending);
    expect((await failure(other.get({ shader: 'fill' }))).code).toBe('shader');
    mending.fill = files.fill;
    expect(await other.get({ shader: 'fill' })).toMatchObject({ generation: device.generation });
  });

  it('are made from a replaced text where there is one, imports included', async () => {
    const cache = kernels({
      user: `// @import value\n${HEAD}@compute @workgroup_size(1) fn main() { y[0] = value(); }`,
      other: `${HEAD}@compute @workgroup_size(1) fn main() { y[0] = 3; }`,
      value: 'fn value() -> f32 { return 1; }',
    });
    const [user, other] = await Promise.all([cache.get({ shader: 'user' }), cache.get({ shader: 'other' })]);
    cache.replaceSource('value', 'fn value() -> f32 { return 2u; }');
    expect(cache.sourceOf('value')).toContain('2u');
    expect(cache.replacedNames).toEqual(['value']);
    expect(await cache.get({ shader: 'other' })).toBe(other);
    expect((await failure(cache.get({ shader: 'user' }))).message).toMatch(/^shaders\/value\.wgsl:1:\d+: /);
    cache.replaceSource('value', 'fn value() -> f32 { return 2; }');
    expect(await cache.get({ shader: 'user' })).not.toBe(user);
    cache.replaceSource('value', undefined);
    expect(cache.sourceOf('value')).toContain('return 1;');
    expect(cache.replacedNames).toEqual([]);
  });
});
