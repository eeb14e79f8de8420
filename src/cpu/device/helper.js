// @ts-check
/**
 * A thread that helps to run dispatches; threads.ts has the other side. It is plain JavaScript without imports because
 * Node starts it from its text. The page starts it as a worker.
 *
 * @typedef {(args: number, first: number, end: number, scratch: number) => void} Run see compile/kernel.ts
 */

/** @type {WebAssembly.Memory} */
let memory;
/** Words of the memory that all threads watch, @type {Int32Array} */
let control;
/** Which word is which, @type {typeof import('./threads.ts').CONTROL} */
let at;
/** Of this thread; the one that submits is 0. */
let index = 0;
/** How many kernels have arrived. */
let received = 0;
/** @type {Run[]} */
const kernels = [];

function takeParts() {
  const run = kernels[control[at.kernel]];
  const [end, part] = [control[at.end], control[at.part]];
  const scratch = control[at.scratch] + index * control[at.stride];
  for (;;) {
    const first = Atomics.add(control, at.next, part);
    if (first >= end) return;
    run(control[at.args], first, Math.min(end, first + part), scratch);
  }
}

/** Runs parts of dispatches until a kernel was sent, which only arrives when this returns. */
function work() {
  for (;;) {
    const signal = Atomics.load(control, at.signal);
    if (Atomics.load(control, at.sent) !== received) return;
    if (signal % 2 !== 0) {
      Atomics.add(control, at.active, 1);
      // The dispatch only changes while the signal is even and nobody is active.
      try {
        if (Atomics.load(control, at.signal) === signal) takeParts();
      } catch {
        Atomics.add(control, at.failed, 1);
      }
      if (Atomics.sub(control, at.active, 1) === 1) Atomics.notify(control, at.active);
    }
    Atomics.wait(control, at.signal, signal);
  }
}

/** @param {{ data: import('./threads.ts').HelperMessage }} event */
function receive({ data }) {
  if (data.kind === 'start') ({ memory, control, at, index } = data);
  else {
    const { exports } = new WebAssembly.Instance(data.module, { env: { memory } });
    kernels[data.id] = /** @type {Run} */ (exports['run']);
    received++;
  }
  work();
}

// Node has no listeners here, so it calls it by name.
Object.assign(globalThis, { onmessage: receive });
