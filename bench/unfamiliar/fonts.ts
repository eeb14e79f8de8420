/** Typefaces by file, of Debian's packages, and the letters that look like no digit. */

/** The threshold is chosen on the first ones and judged on the others. */
export const FONTS = {
  choosing: {
    'fonts-liberation': [
      'truetype/liberation/LiberationSans-Regular.ttf',
      'truetype/liberation/LiberationSerif-Regular.ttf',
    ],
    'fonts-open-sans': ['truetype/open-sans/OpenSans-Regular.ttf'],
    'fonts-breip': ['truetype/breip/Breip.ttf'],
    'fonts-rufscript': ['truetype/rufscript/Rufscript010.ttf'],
    'fonts-urw-base35': ['opentype/urw-base35/URWGothic-Book.otf'],
  },
  judging: {
    'fonts-dejavu-core': ['truetype/dejavu/DejaVuSans.ttf', 'truetype/dejavu/DejaVuSerif.ttf'],
    'fonts-noto-core': ['truetype/noto/NotoSans-Regular.ttf', 'truetype/noto/NotoSerif-Regular.ttf'],
    'fonts-lato': ['truetype/lato/Lato-Light.ttf'],
    'fonts-comic-neue': ['opentype/comic-neue/ComicNeue-Regular.otf'],
    'fonts-dkg-handwriting': ['truetype/fifthhorseman/dkg.ttf'],
    'fonts-sjfonts': ['truetype/sjfonts/SteveHand.ttf'],
    'fonts-klee': ['truetype/klee/KleeOne-Regular.ttf'],
  },
} as const;

/** All capitals but B, I, O, S and Z, and the small letters with a form of their own, but l. */
export const LETTERS = [...'ACDEFGHJKLMNPQRTUVWXYabdefghijkmnqrty'];
