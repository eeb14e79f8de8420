/** Copies a text. Answers whether it could: some browsers refuse, or do not offer it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
