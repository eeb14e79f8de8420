import { Failure, type FailureCode } from '../base/result.ts';

/** How many things a message lists. */
const LISTED = 5;

/** What a command could not do while it did the rest; it ends with a status other than 0 then. */
export class Undone {
  private readonly what: string[] = [];

  /** @param what completes "Not done: ", such as "conv1 dgrad by gemm_1x1 (the filter is 3x3)" */
  add(what: string): void {
    this.what.push(what);
  }

  /** Lists it beside a failure that ends the command. */
  note(print: (message: string) => void): void {
    if (this.what.length > 0) print(this.message);
  }

  /** @throws Failure that lists what is not done, if there is anything */
  refuse(code: FailureCode = 'unsupported'): void {
    if (this.what.length > 0) throw new Failure(code, this.message);
  }

  private get message(): string {
    const { length } = this.what;
    const rest = length > LISTED ? `; and ${length - LISTED} more` : '';
    return `not done: ${this.what.slice(0, LISTED).join('; ')}${rest}`;
  }
}
