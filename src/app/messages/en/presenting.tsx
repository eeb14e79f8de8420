/** The texts of presenting: Train for an audience. */
const english = {
  begin: 'Present',
  title: 'Larger type, and only what an audience follows. P begins and ends it.',
  end: 'End presenting',
  about: 'begin or end: larger type, for a projector or a class',
};

export type PresentingTexts = typeof english;

export default english;
