import { padding, short, type About } from '../about.ts';
import { windowsOf } from '../layer.ts';

export default {
  op: 'pad',
  group: 'Join and reshape',
  everyday: 'Puts a frame around each map: of one number, or of the map itself as in a mirror.',
  explanation:
    'Adds rows and columns around each map. In mode “reflect” they are those inside, mirrored at the edge, which gives smoother borders than zeros.',
  attributes: {
    padding: { ...padding, initial: [1, 1], hint: 'Rows and columns added around the image.' },
    mode: {
      title: 'Mode',
      hint: '“constant”: one value everywhere. “reflect”: the image, mirrored at its edges; less than its size.',
    },
    value: { title: 'Value', hint: 'What a constant border consists of.' },
  },
  details: ({ attributes: { padding: sides, mode } = {} }) => [
    Array.isArray(sides) && `by ${short(sides)}`,
    mode === 'reflect' && 'reflected',
  ],
  reads(layer) {
    const { top, left } = windowsOf(layer).padding;
    return { kind: 'border', start: [-top, -left], mirrors: layer.attributes['mode'] === 'reflect' };
  },
  workOut: ({ values: [x], attributes: { value } }) =>
    x === undefined
      ? { formula: 'the border’s value', result: value as number }
      : { formula: 'the value at its place', result: x },
} satisfies About;
