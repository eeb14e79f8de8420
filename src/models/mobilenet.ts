import { mobilenet } from './families/mobilenet.ts';
import type { Model } from './model.ts';

const small: Model = {
  name: 'mobilenet',
  title: 'MobileNet, a quarter wide',
  description: 'Convolutions of one channel each, and 1x1 between them: few parameters, few operations.',
  family: 'Light',
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal',
  layers: mobilenet(0.25),
};

export default small;
