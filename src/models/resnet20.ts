import { cifarResnet } from './families/resnet.ts';

export default cifarResnet(
  3,
  'A residual network for 32x32 colour images: three blocks in each of three groups.',
);
