import { cifarResnet } from './families/resnet.ts';

export default cifarResnet(
  5,
  'A residual network for 32x32 colour images: five blocks in each of three groups.',
);
