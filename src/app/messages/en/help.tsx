/** The texts of Help. */
import { inLanguage } from '../language.ts';

export const help = inLanguage('help', {
  title: 'Help',
  explanation: 'A tour, lessons, what each word means, and the keys.',
  tour: {
    title: 'Tour',
    about: 'Draw a digit, fool the network, train your own, and look at its mistakes.',
    show: 'Show me in a minute',
  },
  lessons: { title: 'Lessons', about: 'Guess what will happen, try it, and read why.', show: 'All lessons' },
  keys: {
    title: 'Keyboard shortcuts',
    single: 'Enable single-key shortcuts',
    commands: 'Find any command (⌘K on a Mac)',
    help: 'Open Help',
    train: 'Train or pause (Train screen)',
    present: 'Present: larger type, for a projector',
    step: 'Train for one step (Train screen)',
    tab: 'Move to the next control',
    close: 'Close what is open, end the tour',
  },
  about: {
    title: 'What wgrad is',
    what: 'A page that trains neural networks on this device, and shows what happens inside them. Training is computed by small programs, nearly all of them written by hand, which the Lab shows.',
    local: 'Images, drawings and timings never leave your device.',
    licence: (
      <>
        wgrad is MIT licensed. <a href="./licences.txt">Third-party licences</a>
      </>
    ),
  },
  glossary: {
    title: 'Glossary',
    search: 'Search the glossary',
    shown: (some: number) => (some === 1 ? '1 word' : `${some} words`),
    none: (query: string) => `Nothing here is called “${query}”.`,
    all: 'Show all words',
    setting: 'Setting',
    metric: 'Measured',
    elsewhere: 'Elsewhere: ',
    differs: 'Differs from PyTorch',
  },
});
