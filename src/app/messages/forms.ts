/** The plural forms of a word that the language has; in English `one` and `other`. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Writes numbers as a language does, and chooses plurals by its rules. */
export function formsOf(language: string) {
  const rules = new Intl.PluralRules(language);
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const count = (value: number): string => whole.format(value);
  /** The form that goes with a number. */
  const word = (value: number, forms: Forms): string => forms[rules.select(value)] ?? forms.other;
  return {
    count,
    word,
    /** "1 step", "1,200 steps" */
    many: (value: number, forms: Forms): string => `${count(value)} ${word(value, forms)}`,
  };
}
