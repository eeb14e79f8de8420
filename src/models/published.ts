/**
 * Layers of published networks of kinds that the other suites lack: groups, depthwise filters, filters of one row or
 * column, strides, dilation, first layers, and batches of 1 and of 1,000. Three lists, each of other networks: the constants
 * of `get` are fitted to the first; the second judged them, and its model was corrected after that; the third only judges.
 */
import { parseProblem } from '../engine/ops/conv/problem.ts';
import type { Suite, SuiteLayer } from './suites.ts';

const layersOf = (problems: Readonly<Record<string, string>>): SuiteLayer[] =>
  Object.entries(problems).map(([name, sizes]) => ({ name, sizes: parseProblem(sizes) }));

/** Networks at the batch sizes that they are trained with, or with one image, as they answer. */
export const published: Suite = {
  name: 'published',
  title: 'Layers of many networks',
  description:
    'Groups, depthwise filters, rows and columns, strides, dilation and first layers, of twenty networks.',
  batch: 32,
  layers: layersOf({
    'MobileNetV2 first': 'n32 c3 224x224 k32 3x3 s2 p1',
    'MobileNetV2 depthwise 112': 'n32 c32 112x112 k32 3x3 p1 g32',
    'ResNeXt-50 groups of 4': 'n32 c128 56x56 k128 3x3 p1 g32',
    'Inception-v3 1x7': 'n32 c128 17x17 k128 1x7 p0x3',
    'EfficientNet-B0 depthwise 5x5 s2': 'n32 c144 56x56 k144 5x5 s2 p2 g144',
    'DeepLabV3 dilation 12': 'n4 c512 33x33 k256 3x3 p12 d12',
    'ConvNeXt-T depthwise 56': 'n32 c96 56x56 k96 7x7 p3 g96',
    'WRN-28-10 640 channels': 'n64 c640 8x8 k640 3x3 p1',
    'ResNet-50 3x3, one image': 'n1 c64 56x56 k64 3x3 p1',
    'AlexNet first, batch 128': 'n128 c3 224x224 k64 11x11 s4 p2',
    'MobileNetV2 depthwise s2': 'n32 c96 112x112 k96 3x3 s2 p1 g96',
    'DenseNet-121 growth 56': 'n32 c128 56x56 k32 3x3 p1',
    'MobileNetV2 project': 'n32 c192 28x28 k32 1x1',
    'ConvNeXt-T downsample': 'n32 c96 56x56 k192 2x2 s2',
    'MobileNetV3 depthwise 5x5': 'n32 c120 28x28 k120 5x5 p2 g120',
    'Inception-v3 7x1': 'n32 c192 17x17 k192 7x1 p3x0',
    'ResNet-18 3x3 s2': 'n32 c64 56x56 k128 3x3 s2 p1',
    'LeNet-5 second, 1,000 images': 'n1000 c6 14x14 k16 5x5',
    'ResNeXt-50 groups of 4, s2': 'n32 c256 56x56 k256 3x3 s2 p1 g32',
    'U-Net up 2x2': 'n1 c64 256x256 k128 2x2 s2',
    'DenseNet-121 first': 'n32 c3 224x224 k64 7x7 s2 p3',
    'ResNet-50 1x1, one image': 'n1 c1024 14x14 k256 1x1',
    'MobileNetV2 depthwise 14': 'n32 c576 14x14 k576 3x3 p1 g576',
    'Inception-v3 3x3 s2': 'n32 c288 35x35 k384 3x3 s2',
    'ShuffleNet 1x1, groups of 80': 'n32 c240 28x28 k240 1x1 g3',
    'ConvNeXt-T depthwise 7': 'n32 c768 7x7 k768 7x7 p3 g768',
    'U-Net 256, one image': 'n1 c64 256x256 k64 3x3 p1',
    'VGG16 512, one image': 'n1 c512 14x14 k512 3x3 p1',
    'ConvNeXt-T stem': 'n32 c3 224x224 k96 4x4 s4',
    'DeepLabV3 dilation 2': 'n4 c256 33x33 k256 3x3 p2 d2',
    'ResNet-20 stage 1, 1,000 images': 'n1000 c16 32x32 k16 3x3 p1',
    'SRCNN 9x9': 'n16 c1 33x33 k64 9x9 p4',
  }),
};

export const unseen: Suite = {
  name: 'unseen',
  title: 'Layers of more networks',
  description:
    'The same kinds as “Layers of many networks”, of networks that take no part in it. Predictions were corrected after them.',
  batch: 32,
  layers: layersOf({
    'Xception depthwise 19': 'n16 c728 19x19 k728 3x3 p1 g728',
    'MnasNet depthwise 5x5': 'n32 c240 14x14 k240 5x5 p2 g240',
    'MnasNet depthwise 5x5 s2': 'n32 c72 56x56 k72 5x5 s2 p2 g72',
    'RepLKNet depthwise 13x13': 'n8 c128 56x56 k128 13x13 p6 g128',
    'RegNetX groups of 16': 'n32 c160 14x14 k160 3x3 p1 g10',
    'RegNetX groups of 8, s2': 'n32 c64 56x56 k64 3x3 s2 p1 g8',
    'CondenseNet 1x1, groups of 4': 'n64 c64 32x32 k64 1x1 g16',
    'SENet-154 groups of 4': 'n16 c256 28x28 k256 3x3 p1 g64',
    'Inception-v4 1x7': 'n32 c224 17x17 k256 1x7 p0x3',
    'ERFNet 3x1': 'n4 c128 64x128 k128 3x1 p1x0',
    'ESPNet dilation 8': 'n8 c64 64x64 k64 3x3 p8 d8',
    'PSPNet dilation 4': 'n2 c512 60x60 k512 3x3 p4 d4',
    'Darknet-53 3x3 s2': 'n8 c128 64x64 k256 3x3 s2 p1',
    'YOLOv3 1x1': 'n8 c512 26x26 k256 1x1',
    'V-Net down 2x2': 'n8 c32 128x128 k64 2x2 s2',
    'ZFNet first': 'n64 c3 224x224 k96 7x7 s2 p1',
    'NiN first': 'n32 c3 227x227 k96 11x11 s4',
    'FSRCNN shrink, one image': 'n1 c56 224x224 k12 1x1',
    'SqueezeNext 1x3': 'n32 c64 28x28 k64 1x3 p0x1',
    'DDPM 256, 16x16': 'n32 c256 16x16 k256 3x3 p1',
    'VDSR, one image': 'n1 c64 224x224 k64 3x3 p1',
    'All-CNN 3x3 s2, 1,000 images': 'n1000 c96 32x32 k96 3x3 s2 p1',
    'Wide first, 1,000 images': 'n1000 c3 32x32 k32 3x3 p1',
    'FractalNet 512, 4x4': 'n100 c512 4x4 k512 3x3 p1',
  }),
};

export const unseen2: Suite = {
  name: 'unseen2',
  title: 'Layers that nothing was fitted to',
  description:
    'The same kinds again, of networks that no other suite has, measured after the last correction.',
  batch: 32,
  layers: layersOf({
    'MobileNetV1 depthwise 14': 'n32 c512 14x14 k512 3x3 p1 g512',
    'DPN-131 groups of 4': 'n32 c160 56x56 k160 3x3 p1 g40',
    'Inception-ResNet-v2 1x7': 'n32 c128 17x17 k160 1x7 p0x3',
    'FBNet depthwise 5x5': 'n32 c672 14x14 k672 5x5 p2 g672',
    'DeepLab-LargeFOV dilation 12': 'n4 c512 41x41 k1024 3x3 p12 d12',
    'ProxylessNAS depthwise 7x7': 'n32 c480 14x14 k480 7x7 p3 g480',
    'Stable Diffusion 1,280, 8x8': 'n4 c1280 8x8 k1280 3x3 p1',
    'RetinaNet head, one image': 'n1 c256 100x128 k256 3x3 p1',
    'OverFeat first': 'n32 c3 231x231 k96 11x11 s4',
    'ShuffleNetV2 depthwise s2': 'n32 c116 28x28 k116 3x3 s2 p1 g116',
    'HorNet downsample': 'n32 c128 28x28 k256 2x2 s2',
    'Inception-ResNet-v2 7x1': 'n32 c160 17x17 k192 7x1 p3x0',
    'YOLOv5 3x3 s2': 'n8 c64 160x160 k128 3x3 s2 p1',
    'MNIST CNN of Keras, 1,000 images': 'n1000 c32 26x26 k64 3x3',
    'SKNet dilation 2, groups of 4': 'n32 c128 56x56 k128 3x3 p2 d2 g32',
    'NAFNet down 2x2, one image': 'n1 c32 256x256 k64 2x2 s2',
    'CycleGAN first 7x7, one image': 'n1 c3 256x256 k64 7x7 p3',
    'ShuffleNetV2 1x1': 'n32 c116 14x14 k116 1x1',
    'NASNet-A depthwise 7x7 s2': 'n4 c96 165x165 k96 7x7 s2 p3 g96',
    'DPN-92 groups of 6, s2': 'n32 c192 56x56 k192 3x3 s2 p1 g32',
    'ADM 768, 8x8': 'n32 c768 8x8 k768 3x3 p1',
    'OpenPose 7x7, one image': 'n1 c185 46x46 k128 7x7 p3',
    'ViT patches 16x16': 'n32 c3 224x224 k768 16x16 s16',
    'DenseASPP dilation 12': 'n4 c128 64x64 k64 3x3 p12 d12',
    'CIFAR-10 quick, 1,000 images': 'n1000 c32 16x16 k32 5x5 p2',
    'HRNet 3x3 s2': 'n16 c32 64x48 k64 3x3 s2 p1',
    'VAN depthwise 7x7, dilation 3': 'n32 c64 56x56 k64 7x7 p9 d3 g64',
    'ENet 5x1': 'n8 c32 64x64 k32 5x1 p2x0',
    'Tiny YOLO first': 'n8 c3 416x416 k16 3x3 p1',
    'IRCNN dilation 2, one image': 'n1 c64 256x256 k64 3x3 p2 d2',
  }),
};
