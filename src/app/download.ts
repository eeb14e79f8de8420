/** Hands a file to the browser's downloads. */
export function download(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Safari asks the person first, and reads the file when they agree.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** "wgrad-race-2026-03-01T12-30-05" */
export const fileName = (kind: string, date: Date): string =>
  `wgrad-${kind}-${date.toISOString().slice(0, 19).replaceAll(':', '-')}`;
