/**
 * Traces in Chrome's JSON format, which ui.perfetto.dev and chrome://tracing show.
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (Trace Event Format)
 */

export interface TraceSpan {
  /** The row of the span. */
  row: string;
  name: string;
  /** Both in milliseconds. */
  start: number;
  ms: number;
  /** Shown when it is clicked. */
  details?: Readonly<Record<string, string | number>>;
}

/**
 * @param title of the trace
 * @param rows from top to bottom; they include every span's row
 */
export function chromeTrace(title: string, rows: readonly string[], spans: readonly TraceSpan[]): string {
  const named = (kind: string, tid: number, args: object) => ({ name: kind, ph: 'M', pid: 1, tid, args });
  const traceEvents = [
    named('process_name', 0, { name: title }),
    ...rows.flatMap((name, i) => [
      named('thread_name', i + 1, { name }),
      named('thread_sort_index', i + 1, { sort_index: i }),
    ]),
    // The format's unit is microseconds.
    ...spans.map(({ row, name, start, ms, details }) => ({
      name,
      cat: row,
      ph: 'X',
      pid: 1,
      tid: rows.indexOf(row) + 1,
      ts: 1000 * start,
      dur: 1000 * ms,
      ...(details ? { args: details } : {}),
    })),
  ];
  return JSON.stringify({ displayTimeUnit: 'ns', traceEvents });
}
