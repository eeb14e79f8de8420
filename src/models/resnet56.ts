import { cifarResnet } from './families/resnet.ts';

export default cifarResnet(
  9,
  'A residual network for 32x32 colour images: nine blocks in each of three groups.',
);
