/** A text of somebody else in Markdown: one line that shows as it is, and neither links, loads, nor hides what follows. */
export const inMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|#~&]/g, (mark) => `\\${mark}`);
