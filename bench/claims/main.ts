/** Writes the measured sections of all documents. */
import { readFileSync, writeFileSync } from 'node:fs';
import { DOCUMENTS, looseFigures, REPORTS, withSections } from './documents.ts';
import { file } from './results.ts';
import { SECTIONS } from './sections.ts';

export function main(): void {
  for (const name of [...DOCUMENTS, ...REPORTS]) {
    const before = readFileSync(file(name), 'utf8');
    const after = withSections(before, SECTIONS);
    if (after !== before) writeFileSync(file(name), after);
    console.log(`${name}: ${after === before ? 'unchanged' : 'written'}`);
    const isReport = REPORTS.some((report) => report === name);
    for (const { figure, line } of isReport ? [] : looseFigures(after)) {
      console.error(`${name}: "${figure}" stands outside of measured sections: ${line}`);
      process.exitCode = 1;
    }
  }
}
