/**
 * Copies a text. Answers whether it could: some browsers refuse, or do not offer it.
 * @param text may be a promise: Safari copies only what it is given while it handles a click
 */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else await copyPromised(text);
    return true;
  } catch {
    return false;
  }
}

/** Firefox has ClipboardItem from 127 on. */
async function copyPromised(text: Promise<string>): Promise<void> {
  if (!('ClipboardItem' in globalThis)) return navigator.clipboard.writeText(await text);
  const plain = text.then((words) => new Blob([words], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })]);
}
