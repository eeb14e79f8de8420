/** The forms of a text for a number, by the language's rules: `one` is always there in English, others where it has them. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Numbers of a language, and the words for so many things. */
export function formsOf(language: string) {
  const rules = new Intl.PluralRules(language);
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const count = (value: number): string => whole.format(value);
  /** The word for so many. */
  const word = (value: number, forms: Forms): string => forms[rules.select(value)] ?? forms.other;
  return {
    count,
    word,
    /** "1 step", "1,200 steps" */
    many: (value: number, forms: Forms): string => `${count(value)} ${word(value, forms)}`,
  };
}
