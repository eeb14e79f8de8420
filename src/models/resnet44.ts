import { cifarResnet } from './families/resnet.ts';

export default cifarResnet(
  7,
  'A residual network for 32x32 colour images: seven blocks in each of three groups.',
);
