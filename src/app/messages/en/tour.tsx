/** The texts of the tour. */
import { inLanguage } from '../language.ts';

export const tour = inLanguage('tour', {
  label: 'Tour',
  place: (at: number, all: number) => `${at} of ${all}`,
  skip: 'Skip',
  next: 'Next',
  end: 'End tour',
  finish: 'Finish',
  back: 'Back to Train',
  unknown: (name: string) => `There is no tour “${name}”.`,
  says: (answer: string, confidence: string) => `It says ${answer}, and is ${confidence} sure.`,
  choose: {
    title: 'First, digits',
    text: 'Other images are chosen now. This tour needs the digits that come with the page.',
    help: 'Choose the digits',
    done: '',
  },
  draw: {
    title: 'Draw a digit',
    text: 'Any from 0 to 9, with your mouse or your finger. Beneath it, the network says what it reads.',
    help: 'Draw one for me',
    done: '',
  },
  fool: {
    title: 'Now fool it',
    text: 'Draw a letter, such as an A. The network has only ten answers, the digits 0 to 9. What will it say?',
    help: 'Draw an A for me',
    done: 'This network has no way to say “I do not know”.',
  },
  train: {
    title: 'Train your own',
    text: 'This network was trained before you came. Select Train: a new one starts. It knows nothing yet, and learns from digits with the right answers.',
    help: 'Take me to the button',
    done: 'It is learning.',
  },
  loss: {
    title: 'Watch the loss',
    text: 'Loss measures how wrong the network is: 2.3 is pure guessing among ten digits, 0 is perfect. With every step, the network changes its numbers a little so that the loss falls.',
    help: '',
    done: 'Each step looks at a few images, so the curve is shaky. On the whole, it falls.',
  },
  mistake: {
    title: 'Look at a mistake',
    text: 'After each round through all examples, the network is tested on digits that it never trains on. Here are those it got wrong. Select one.',
    help: 'Take me to them',
    done: '',
  },
  finished: {
    title: 'That was it',
    text: 'Here is that image, and what each layer of the network makes of it. Next, change the learning rate while it trains, or build a network of your own. Help explains the words of this page.',
    help: '',
    done: '',
  },
});
