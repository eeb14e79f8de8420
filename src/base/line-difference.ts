/** The lines that make one text another. */

export interface ChangedLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * A shortest list of lines to remove from `before` and to add, in order; removed ones come before added ones.
 * By the longest common subsequence: time and memory grow with the product of the lengths.
 */
export function lineDifference(before: string, after: string): ChangedLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  // common[i][j]: lines in common of a from i on and b from j on.
  const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const lines: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) {
      lines.push({ kind: 'removed', text: a[i++] });
    } else {
      lines.push({ kind: 'added', text: b[j++] });
    }
  }
  return lines;
}
