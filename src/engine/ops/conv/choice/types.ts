/** The choice between algorithms: what `find` measures and `get` predicts. */
import type { Interval } from '../../../../base/median-interval.ts';
import type { NumberType } from '../../../plan.ts';
import type { LaunchSize } from '../algorithm.ts';
import type { ConvProblem, Direction } from '../problem.ts';

/** One way to compute a problem: the names of an algorithm and of one of its launches. */
export interface Choice {
  algorithm: string;
  launch: string;
}

/** The result of `find` for one launch. */
export type LaunchResult = Choice & { workspaceBytes: number } & (
    | {
        outcome: 'timed';
        /** Milliseconds per call. */
        median: number;
        p10: number;
        p90: number;
        /** Contains the true median in 95 % of cases; see base/median-interval. */
        interval: Interval;
        samples: number;
        repetitions: number;
        clock: 'timestamps' | 'wall';
        /** Relative error against float64 at sampled places. */
        error: number;
        dispatches: number;
        /** Files below shaders/, without their extension. */
        shaders: string[];
      }
    | {
        /** Excluded: never used. */
        outcome: 'wrong';
        reason: string;
        /** Null if values are not finite. */
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

export type TimedLaunch = Extract<LaunchResult, { outcome: 'timed' }>;

export interface FindResult {
  problem: ConvProblem;
  direction: Direction;
  number: NumberType;
  /** The limit, in bytes. */
  workspace: number;
  tried: LaunchResult[];
  /** Algorithms that do not support this, with the reason as text for the user. */
  absent: { algorithm: string; reason: string }[];
  /** The fastest of the timed; undefined if there is none. */
  best?: Choice;
  /** Launches that are as fast as the best, as far as their times tell; see rank. */
  ties: Choice[];
  /** Launches whose times vary too much to tell. */
  unclear: Choice[];
  /** Why the reference was unusable; results were then checked at sampled places only. */
  doubt?: string;
  elapsedMs: number;
}

export interface FindOptions {
  /** Default all. */
  algorithms?: readonly string[];
  /** Bytes; default `usualWorkspace`. */
  workspace?: number;
  /** Default f32. */
  number?: NumberType;
  /** For algorithms that are `resizable`. */
  launchSize?: LaunchSize | undefined;
  /** Measurements of each launch that is close to the best. */
  samples?: number;
  /** A measurement repeats the work until it takes at least this long. */
  minimumMs?: number;
  /** Launches to measure, at most. By default those that are likely to win. */
  most?: number;
  /** Launches to measure in any case, if they are available. */
  also?: readonly Choice[];
  /** Launches not to try. */
  exclude?: (algorithm: string, launch: string) => boolean;
  /** Progress: called with each launch's result, again if it is measured again. */
  onTried?(tried: LaunchResult): void;
  /** Progress before that: called as the launches are compiled, in parallel. */
  onCompiled?(done: number, total: number): void;
  signal?: AbortSignal;
}

export type GetOptions = Pick<FindOptions, 'algorithms' | 'workspace' | 'number' | 'exclude'>;
