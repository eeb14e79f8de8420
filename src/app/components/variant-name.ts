/** The name of a kernel variant as people read it: "4 a sum" as "4 threads per sum". The name itself is a key of saved results. */
export const variantName = (launch: string): string =>
  launch
    .replace(
      /\b(\d+) a sum\b/g,
      (_, count: string) => `${count} ${count === '1' ? 'thread' : 'threads'} per sum`,
    )
    .replace(/\b1 (image|filter)s at a time\b/g, '1 $1 at a time');
