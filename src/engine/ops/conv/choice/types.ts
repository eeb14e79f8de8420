/** The choice between algorithms: what `find` measures and `get` predicts. */
import type { NumberType } from '../../../plan.ts';
import type { ConvProblem, Direction } from '../problem.ts';

/** One way to run a problem: names of an algorithm and of one of its launches. */
export interface Choice {
  algorithm: string;
  launch: string;
}

/** What find learned of one launch. */
export type Tried = Choice & { workspaceBytes: number } & (
    | {
        outcome: 'timed';
        /** Milliseconds a call. */
        median: number;
        p10: number;
        p90: number;
        samples: number;
        repetitions: number;
        clock: 'timestamps' | 'wall';
        /** Relative, against float64 at sampled places. */
        error: number;
        dispatches: number;
        /** Files below shaders/, without the ending. */
        shaders: string[];
      }
    | {
        /** In quarantine: never used. */
        outcome: 'wrong';
        reason: string;
        /** Null where numbers are not finite. */
        error: number | null;
        shaders: string[];
      }
    | {
        /** It did not compile, or memory ran out. */
        outcome: 'failed';
        reason: string;
        shaders: string[];
      }
  );

export type Timed = Extract<Tried, { outcome: 'timed' }>;

export interface Found {
  problem: ConvProblem;
  direction: Direction;
  number: NumberType;
  /** The limit, in bytes. */
  workspace: number;
  tried: Tried[];
  /** Algorithms that cannot do this, and why not, in words for people. */
  absent: { algorithm: string; reason: string }[];
  /** Fastest of the timed; undefined if there is none. */
  best?: Choice;
  /** Launches whose [p10, p90] overlaps the best's: a tie is called a tie. */
  ties: Choice[];
  /** Why the reference was of no use; results were then checked at some places only. */
  doubt?: string;
  elapsedMs: number;
}

export interface FindOptions {
  /** Default all. */
  algorithms?: readonly string[];
  /** Bytes; default DEFAULT_WORKSPACE. */
  workspace?: number;
  /** Default f32. */
  number?: NumberType;
  /** Measurements of each launch that comes near the best. */
  samples?: number;
  /** A measurement repeats the work until it takes at least this long. */
  minimumMs?: number;
  /** Launches to measure, at most. By default those that are likely to win. */
  most?: number;
  /** Launches not to try. */
  exclude?: (algorithm: string, launch: string) => boolean;
  /** Progress: each launch as it is known. A launch that is measured again comes again. */
  onTried?(tried: Tried): void;
  signal?: AbortSignal;
}

export type GetOptions = Pick<FindOptions, 'algorithms' | 'workspace' | 'number' | 'exclude'>;
