/** Things that are freed together. */

export interface Destroyable {
  destroy(): void;
}

export class Owned {
  private readonly things: Destroyable[] = [];

  /** @returns the thing */
  readonly own = <T extends Destroyable>(thing: T): T => (this.things.push(thing), thing);

  destroy(): void {
    for (const thing of this.things.splice(0)) thing.destroy();
  }
}

/** Makes something out of things that it owns. If that fails, they are freed. */
export async function owning<T>(make: (owned: Owned) => Promise<T>): Promise<T> {
  const owned = new Owned();
  try {
    return await make(owned);
  } catch (error) {
    owned.destroy();
    throw error;
  }
}

/** Something that is made on first use. After a failure the next request tries again: memory may suffice later. */
export class OnDemand<T extends Destroyable> {
  private made: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  destroy(): void {
    this.made?.then(
      (thing) => thing.destroy(),
      () => undefined,
    );
  }
}
