/** What a file is that is not read, by its first bytes: so that a refusal says what it met, and what to do. */

const KINDS: readonly { begins: RegExp; is: string }[] = [
  { begins: /^version https:\/\/git-lfs/, is: 'is a pointer of Git LFS: download the file itself' },
  { begins: /^\s*<(!doctype html|html)/i, is: 'is a web page: download the file itself' },
  { begins: /^MATLAB 5\.0/, is: 'is a MATLAB file, which is not read: save its arrays by numpy.savez' },
  {
    begins: /^\x89HDF/,
    is: 'is an HDF5 file, of which only models are read: save its arrays by numpy.savez',
  },
  { begins: /^7z\xbc\xaf/, is: 'is packed by 7-Zip, which is not read: use zip' },
  { begins: /^Rar!/, is: 'is packed by RAR, which is not read: use zip' },
  { begins: /^\xfd7zXZ/, is: 'is packed by xz, which is not read: use zip or gzip' },
  { begins: /^BZh\d/, is: 'is packed by bzip2, which is not read: use zip or gzip' },
  { begins: /^\x28\xb5\x2f\xfd/, is: 'is packed by Zstandard, which is not read: use zip or gzip' },
  { begins: /^[-+]?\d+(\.\d+)? \d+:\S+ \d+:/, is: 'is a table of LIBSVM, which is not read: save it as CSV' },
];

/** Completes a sentence after the file's name; undefined for any other file. @param head its first bytes */
export function strangerKind(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, 512));
  return KINDS.find(({ begins }) => begins.test(text))?.is;
}
