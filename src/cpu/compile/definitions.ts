/** Names that are being resolved. A type, constant or function that needs itself is an error. */
import { Unsupported } from './values.ts';

/** What may be in a type of the same name. */
const TEMPLATES = /^(array|vec[234]|atomic)$/;

/** The definitions that are being resolved, each inside the one before. */
export class Definitions {
  private readonly open: string[] = [];

  /** Resolves a name. @throws Unsupported if it is being resolved already */
  within<T>(name: string, make: () => T): T {
    const isTemplate = TEMPLATES.test(name);
    if (!isTemplate && this.open.includes(name)) throw new Unsupported(`"${name}" is defined by itself`);
    this.open.push(name);
    const made = make();
    this.open.pop();
    return made;
  }
}
