/** Runs a task after those that wait, so that messages are handled in between. */

/** In Node, a channel would keep the process alive. */
const immediately: ((task: () => void) => void) | undefined = (
  globalThis as { setImmediate?: (task: () => void) => void }
).setImmediate;

const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

/** `setTimeout` would wait for 4 ms. */
export function afterOthers(task: () => void): void {
  if (immediately) {
    immediately(task);
    return;
  }
  if (!channel) {
    channel = new MessageChannel();
    channel.port1.addEventListener('message', () => waiting.shift()?.());
    channel.port1.start();
  }
  waiting.push(task);
  channel.port2.postMessage(null);
}
