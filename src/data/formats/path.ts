/** Names of files in archives, which may have been made to lead elsewhere. */

/**
 * The names of files and folders with "/" between them, as they stay below any folder on any system; undefined for others.
 * Windows' own archiver wrote "\" before Windows 10, and many others write "./" first.
 */
export function plainPath(path: string): string | undefined {
  const plain = path.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  const parts = plain.replace(/\/$/, '').split('/');
  const leads = parts.some((part) => part === '' || part === '.' || part === '..');
  return leads || /\0|^[A-Za-z]:/.test(plain) ? undefined : plain;
}

/** A name as people see it, in one form of Unicode, without signs that turn the direction of what follows. */
export const shownName = (name: string): string =>
  name.normalize().replaceAll(/[\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu, '');
