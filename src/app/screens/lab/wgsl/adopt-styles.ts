import { StyleModule } from 'style-mod';

/**
 * CodeMirror writes its styles into a <style> element, which the page's Content-Security-Policy refuses; in a shadow tree it
 * adopts a style sheet, which is allowed. So the document gets the style sheet of a shadow tree, before the first editor.
 */
export function adoptEditorStyles(document: Document): void {
  if (adopted.has(document)) return;
  adopted.add(document);
  const shadow = { ownerDocument: document, adoptedStyleSheets: [] };
  StyleModule.mount(shadow as unknown as ShadowRoot, []);
  // What remains is CodeMirror's own: its style sheet, under a symbol.
  const { ownerDocument: _document, adoptedStyleSheets: _sheets, ...styles } = shadow;
  Object.assign(document, styles);
}

const adopted = new WeakSet<Document>();
