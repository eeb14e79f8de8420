import { describe, expect, test } from 'vitest';
import { insertAfter } from '../../../base/layers/edit.ts';
import type { LayerData } from '../../../base/layers/layer.ts';
import { models } from '../../../models/index.ts';
import { describePlainly } from '../../../worker/builder/describe.ts';
import { LAYER_KINDS } from '../../../worker/builder/kinds.ts';
import { edgesOf, nodesOf } from './graph-elements.ts';
import { isSkip, lineThrough, linksOf, NODE, placesOf, stagesOf, viewOf } from './graph-layout.ts';
import { change, redo, startHistory, undo } from './history.ts';
import { newLayer, PRESET_BLOCKS } from './new-layers.ts';
import { blocksAround, itemsOf, neighbour, rowsOf } from './tree.ts';
import { amount, detailsOf, within } from './words.ts';

const RESNET = models.get('resnet8').layers;
const BLOCK = 'block layer2.0.add';

describe('history', () => {
  test('undoes and redoes; a new change clears what was undone', () => {
    let history = change(change(startHistory('a'), 'b'), 'c');
    history = undo(undo(history));
    expect(history).toMatchObject({ past: [], present: 'a', future: ['b', 'c'] });
    expect(undo(history).present).toBe('a');
    history = redo(history);
    expect(history.present).toBe('b');
    expect(change(history, 'd')).toMatchObject({ past: ['a', 'b'], present: 'd', future: [] });
    expect(redo(redo(history))).toMatchObject({ present: 'c', future: [] });
  });

  test('letters typed into one field are one change; undo ends it', () => {
    let history = change(change(startHistory('1'), '12', 'filters'), '123', 'filters');
    expect(history.past).toEqual(['1']);
    history = change(history, '1234', 'window');
    expect(history.past).toEqual(['1', '123']);
    expect(change(undo(history), '9', 'window').past).toEqual(['1', '123']);
  });

  test('an equal state is no change, and old states are dropped', () => {
    const history = startHistory(0);
    expect(change(history, 0)).toBe(history);
    const long = Array.from({ length: 300 }, (_, i) => i + 1).reduce(
      (all, i) => change(all, i),
      startHistory(0),
    );
    expect(long.past).toHaveLength(200);
  });
});

describe('rows', () => {
  const items = itemsOf(RESNET);

  test('blocks are collapsed until they are expanded', () => {
    const closed = rowsOf(items, new Set()).map(({ id }) => id);
    expect(closed).toEqual([
      ...['input', 'conv1', 'bn1', 'relu', 'block layer1.0.add', BLOCK, 'block layer3.0.add'],
      ...['avgpool', 'flatten', 'fc'],
    ]);
    const open = rowsOf(items, new Set([BLOCK]));
    expect(open).toHaveLength(closed.length + 9);
    const row = open.find(({ id }) => id === 'layer2.0.downsample.0');
    expect(row).toMatchObject({ level: 2, inside: 'layer2.0' });
    expect(blocksAround(items, row?.part.first ?? -1)).toEqual([BLOCK]);
    expect(blocksAround(items, 0)).toEqual([]);
  });

  test('neighbours are as large as possible', () => {
    const at = (name: string) => RESNET.findIndex((layer) => layer.name === name);
    const part = (name: string) => ({ first: at(name), last: at(name) });
    expect(neighbour(items, part('avgpool'), 'before')).toEqual({
      first: at('layer3.0.conv1'),
      last: at('layer3.0.relu2'),
    });
    expect(neighbour(items, part('layer3.0.bn1'), 'before')).toEqual(part('layer3.0.conv1'));
    // The first layer in a block follows the block before.
    expect(neighbour(items, part('layer3.0.conv1'), 'before')).toMatchObject({ first: at('layer2.0.conv1') });
    expect(neighbour(items, part('conv1'), 'before')).toBeUndefined();
    expect(neighbour(items, part('fc'), 'after')).toBeUndefined();
  });
});

describe('what the palette adds', () => {
  const END: LayerData[] = [
    { name: 'avgpool', op: 'adaptive_avg_pool', attributes: { outputSize: [1, 1] } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc', op: 'linear', attributes: { outFeatures: 10 } },
  ];
  const errorsOf = (layers: readonly LayerData[]) =>
    describePlainly({ layers, input: [3, 32, 32], classes: 10 }).errors.map(({ message }) => message);

  test.each(PRESET_BLOCKS.map(({ name }) => name))('%s is valid where it is added, twice', (name) => {
    const block = PRESET_BLOCKS.find((one) => one.name === name);
    let layers: readonly LayerData[] = END;
    let channels = 3;
    for (let times = 0; times < 2; times++) {
      const added = block?.layers(layers, channels) ?? [];
      const at = layers.findIndex((layer) => layer.name === 'avgpool') - 1;
      layers = insertAfter(layers, at, added);
      channels =
        describePlainly({ layers, input: [3, 32, 32], classes: 10 }).layers[at + added.length].output?.[0] ??
        0;
    }
    expect(errorsOf(layers)).toEqual([]);
  });

  test('new layers are valid and have unused names', () => {
    for (const kind of LAYER_KINDS) {
      const first = newLayer(kind, []);
      const second = newLayer(kind, [first]);
      expect(second.name).not.toBe(first.name);
      const wrong = errorsOf([first]).filter((message) => message.includes('expected'));
      expect(wrong).toEqual([]);
    }
  });
});

describe('the graph', () => {
  test('collapsed blocks have the edges of their layers', () => {
    const closed = rowsOf(itemsOf(RESNET), new Set());
    expect(linksOf(RESNET, closed).map(({ from, to }) => `${from} > ${to}`)).toContain(
      `block layer1.0.add > ${BLOCK}`,
    );
    expect(linksOf(RESNET, closed)).toHaveLength(closed.length - 1);
    const open = rowsOf(itemsOf(RESNET), new Set([BLOCK]));
    const taken = linksOf(RESNET, open).filter(({ from }) => from === 'block layer1.0.add');
    expect(taken.map(({ to }) => to)).toEqual(['layer2.0.conv1', 'layer2.0.downsample.0']);
  });

  test('nodes lie at the right of their inputs, apart, and inside their block', () => {
    const rows = rowsOf(itemsOf(RESNET), new Set([BLOCK]));
    const links = linksOf(RESNET, rows);
    const { places, boxes } = placesOf(rows, links);
    const all = [...places.values()];
    for (const { from, to } of links) {
      expect((places.get(to)?.x ?? 0) - (places.get(from)?.x ?? 0)).toBeGreaterThanOrEqual(NODE.width);
    }
    for (const a of all)
      for (const b of all)
        if (a !== b)
          expect(Math.abs(a.x - b.x) >= NODE.width || Math.abs(a.y - b.y) >= NODE.height).toBe(true);
    expect(boxes).toHaveLength(1);
    const inner = places.get('layer2.0.conv2');
    expect(inner && inner.x > boxes[0].x && inner.x + NODE.width < boxes[0].x + boxes[0].width).toBe(true);
  });

  test('skip connections are distinguished from the chain, and stages from each other', () => {
    const rows = rowsOf(itemsOf(RESNET), new Set(['block layer1.0.add']));
    const links = linksOf(RESNET, rows);
    const skips = links.filter((link) => isSkip(RESNET, rows, link)).map(({ from, to }) => `${from} > ${to}`);
    expect(skips).toEqual(['relu > layer1.0.add']);
    const sizes: Record<string, string> = {
      ...{
        input: '32 × 32',
        conv1: '32 × 32',
        bn1: '32 × 32',
        relu: '32 × 32',
        'block layer1.0.add': '32 × 32',
      },
      ...{ [BLOCK]: '16 × 16', 'block layer3.0.add': '8 × 8', avgpool: '1 × 1' },
    };
    const { places } = placesOf(rows, links);
    const stages = stagesOf(rows, places, ({ id }) => sizes[id]);
    expect(stages.map(({ title }) => title)).toEqual(['32 × 32', '16 × 16', '8 × 8', '1 × 1']);
    const [first, second] = stages;
    const inside = places.get('layer1.0.conv2');
    expect(inside && inside.x > first.x && inside.x + NODE.width < first.x + first.width).toBe(true);
    expect(first.x + first.width).toBeLessThanOrEqual(second.x + 0.01);
    expect(stagesOf(rows, places, () => '8 × 8')).toEqual([]);
  });

  test('rows become nodes in their boxes and stages, and inputs become edges; errors stand at both', () => {
    const model = models.get('resnet8');
    const rows = rowsOf(itemsOf(RESNET), new Set([BLOCK]));
    const links = linksOf(RESNET, rows);
    const layout = placesOf(rows, links);
    const { layers } = describePlainly(model);
    const known = {
      layers: new Map(layers.map((layer, i) => [RESNET[i].name, layer])),
      errors: [
        {
          layer: 0,
          name: 'layer2.0.add',
          message: 'The shapes differ',
          incomplete: false,
          inputs: ['layer2.0.bn2'],
          fixes: [],
        },
      ],
      current: true,
    };
    const nodes = nodesOf(rows, layout, model, known, 'conv1');
    const ids = (type: string) => nodes.filter((node) => node.type === type).map(({ id }) => id);
    expect(ids('box')).toEqual([BLOCK]);
    expect(ids('stage')).toHaveLength(4);
    expect([...ids('box'), ...ids('layer')].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(nodes.filter(({ selected }) => selected).map(({ id }) => id)).toEqual(['conv1']);
    const invalid = nodes.filter((node) => node.type === 'layer' && node.data.invalid);
    expect(invalid.map(({ id }) => id)).toEqual(['layer2.0.add']);
    const edges = edgesOf(links, rows, layout, model, known, 'input→conv1 input');
    expect(edges.filter(({ selected }) => selected).map(({ target }) => target)).toEqual(['conv1']);
    const labelled = edges.filter(({ label }) => label !== undefined);
    expect(labelled.map(({ source, label }) => [source, label])).toContainEqual([
      'layer2.0.bn2',
      '32 × 16 × 16',
    ]);
  });

  test('a small graph is shown whole, a large one around the selected node', () => {
    const places = new Map(Array.from({ length: 30 }, (_, i) => [`n${i}`, { x: 180 * i, y: 0 }]));
    const few = new Map([...places].slice(0, 3));
    expect(viewOf({ places: few, boxes: [] }, 'input', 800, 600)).toMatchObject({
      zoom: 1,
      y: 300 - NODE.height / 2,
    });
    const { x, zoom } = viewOf({ places, boxes: [] }, 'n15', 800, 600);
    expect(x + zoom * (180 * 15 + NODE.width / 2)).toBeCloseTo(400);
  });

  test('paths start and end at their nodes', () => {
    const line = lineThrough({ x: 0, y: 0 }, [{ x: 10, y: 5 }], { x: 0, y: 10 });
    expect(line).toEqual({ path: 'M 0.0 0.0 Q 10.0 5.0 0.0 10.0', middle: { x: 10, y: 5 } });
    expect(lineThrough({ x: 0, y: 0 }, [], { x: 0, y: 10 })).toEqual({
      path: 'M 0.0 0.0 L 0.0 10.0',
      middle: { x: 0, y: 5 },
    });
  });
});

describe('words', () => {
  test.each([
    [0, '–'],
    [999, '999'],
    [1234, '1.23 k'],
    [999_960, '1 M'],
    [40_800_000, '40.8 M'],
    [2.5e9, '2.5 G'],
  ])('%d is %s', (value, text) => expect(amount(value)).toBe(text));

  test('a layer shows its most important attributes', () => {
    const convolution = { outChannels: 8, kernelSize: [3, 5], stride: [2, 2], groups: 4 };
    expect(detailsOf({ name: 'a', op: 'conv', attributes: convolution })).toBe(
      '8 filters of 3 × 5, stride 2, 4 groups',
    );
    expect(detailsOf({ name: 'a', op: 'add', inputs: ['b.x', 'y'] }, 'b')).toBe('x + y');
    expect(within('layer1.0', 'layer1.0.conv1')).toBe('conv1');
    expect(within('layer1', 'layer10')).toBe('layer10');
  });
});
