import { testConvAlgorithm } from '../../../../testing/conv.ts';
import algorithm from './index.ts';

testConvAlgorithm(algorithm);
