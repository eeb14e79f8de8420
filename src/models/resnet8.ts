import { cifarResnet } from './families/resnet.ts';

export default cifarResnet(
  1,
  'The smallest of the residual networks for 32x32 colour images: one block in each of three groups.',
);
