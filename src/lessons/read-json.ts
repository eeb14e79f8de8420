/** Reads JSON that somebody sent, within limits. */
import { parsePlainJson } from '../base/plain-json.ts';
import { Failure } from '../base/result.ts';

/**
 * @param where for messages: "ada.json"
 * @param longest characters at most
 * @throws Failure `bad-file`
 */
export function readJson(where: string, text: string, longest: number, advice: string): unknown {
  const bad = (message: string) => new Failure('bad-file', `${where}: ${message}`, advice);
  const [most, found] = [longest, text.length].map((count) => count.toLocaleString('en'));
  if (text.length > longest) throw bad(`expected at most ${most} characters, found ${found}`);
  try {
    return parsePlainJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw bad(`expected JSON, found a mistake in it: ${error.message.slice(0, 120)}`);
  }
}
