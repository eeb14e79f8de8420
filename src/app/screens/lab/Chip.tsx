import type { Measurement } from './batch.ts';
import styles from './Lab.module.css';
import { listing, wrongLanes } from './verdict.ts';

const LETTERS: Readonly<Record<string, string>> = {
  direct: 'D',
  im2col_gemm: 'IC',
  implicit_gemm: 'IG',
  gemm_1x1: 'G1',
  winograd_f2x3: 'W23',
  winograd_f4x3: 'W43',
  winograd_f2x5: 'W25',
  winograd_f4x5: 'W45',
  fft: 'F',
  fft_tiling: 'FT',
};

/**
 * Two or three letters that stand for an algorithm, so that colour is never the only sign. Without letters of its own it
 * gets the first of each word. Colours and patterns are in palette.css, by `data-algorithm`.
 */
export const lettersOf = (algorithm: string): string =>
  LETTERS[algorithm] ??
  algorithm
    .split('_')
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('');

interface ChipProps {
  algorithm: string;
  /** Default: the algorithm's. */
  name?: string;
  bare?: boolean;
}

/** An algorithm's colour, pattern and letters, with or without its name. */
export function Chip({ algorithm, name = algorithm, bare = false }: ChipProps) {
  return (
    <span className={styles.chip}>
      <span className={styles.mark} data-algorithm={algorithm} aria-hidden="true">
        {lettersOf(algorithm)}
      </span>
      {!bare && <span>{name}</span>}
    </span>
  );
}

/** The fastest algorithm by name, and those that tie with it by their letters. */
export function Winners({ algorithms }: { algorithms: readonly string[] }) {
  const [first, ...others] = algorithms;
  return (
    <span className={styles.winners}>
      <Chip algorithm={first} />
      {others.length > 0 && <span className="fine">ties with</span>}
      {others.map((algorithm) => (
        <span key={algorithm} title={algorithm}>
          <span className="unseen">{algorithm} </span>
          <Chip algorithm={algorithm} bare />
        </span>
      ))}
    </span>
  );
}

/** The algorithms of a measurement whose results are incorrect, if there are any. */
export function IncorrectLanes({ measurement }: { measurement: Measurement }) {
  const wrong = wrongLanes(measurement);
  return wrong.length > 0 && <small className="error">incorrect: {listing(wrong)}</small>;
}
