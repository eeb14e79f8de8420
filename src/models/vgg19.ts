import { vgg } from './families/vgg.ts';

export default vgg(
  [2, 2, 4, 4, 4],
  'Sixteen convolutions of 3x3 one after the other, with up to 512 channels. Large: for a real GPU.',
);
