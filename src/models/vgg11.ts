import { vgg } from './families/vgg.ts';

export default vgg(
  [1, 1, 2, 2, 2],
  'Eight convolutions of 3x3 one after the other, with up to 512 channels. Large: for a real GPU.',
);
