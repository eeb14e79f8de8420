/** The places of a compiler's messages about WGSL. */

export interface WgslError {
  /** Path below shaders/, without the extension. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1; 0 if it is not known. */
  column: number;
  message: string;
}

const PLACE = /^(?:kernel [^\n]*?: )?shaders\/(.+?)\.wgsl:(\d+)(?::(\d+))?: (.*)$/gm;

/** Every place that a message names, each once: unrolled loops repeat their lines. */
export function placesIn(message: string): WgslError[] {
  const places = new Map<string, WgslError>();
  for (const [all, file, line, column = 0, text] of message.matchAll(PLACE)) {
    places.set(all, { file, line: Number(line), column: Number(column), message: text.replace(/\.$/, '') });
  }
  return [...places.values()];
}
