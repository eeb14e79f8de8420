import { square, type Suite } from './suite.ts';

const suite: Suite = {
  name: 'lenet5',
  title: 'LeNet-5',
  description: 'The two convolutions of LeNet-5 on images of 28x28.',
  batch: 128,
  layers: [
    { name: 'conv1', sizes: square(1, 28, 6, 5, 2) },
    { name: 'conv2', sizes: square(6, 14, 16, 5) },
  ],
};

export default suite;
