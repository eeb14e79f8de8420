import { create } from 'zustand';
import {
  duplicate,
  insertAfter,
  remove,
  rename,
  setAttributes,
  setInputs,
  swap,
  type LayerRange,
} from '../../../base/layers/edit.ts';
import { IMAGE, placeOf, spellOut, type LayerData } from '../../../base/layers/layer.ts';
import type { FailureValue } from '../../../base/result.ts';
import type { BuildCatalogue, DatasetEntry, ModelDescription, ModelFile } from '../../../worker/api.ts';
import { chosenDataset } from '../../actions/start.ts';
import { askPart } from '../../ask-part.ts';
import { ask } from '../../client.ts';
import { isModelFile } from '../../exchange/files.ts';
import { OWN_MODEL } from '../../state/own-model.ts';
import { DEFAULT_SETTINGS } from '../../state/settings.ts';
import { useApp, type AppState } from '../../state/store.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { change, redo, startHistory, undo, type UndoHistory } from './history.ts';
import { blocksAround, itemsOf, neighbour, partOf, rowsOf, type Item, type TreeRow } from './tree.ts';

interface BuildState {
  catalogue: BuildCatalogue | undefined;
  history: UndoHistory<ModelFile>;
  /** The built-in model that was opened from Train, and its name, to tell whether it was changed since. */
  origin: { name: string; model: ModelFile } | undefined;
  /** What Train had chosen when its model was last opened here. */
  followed: string | undefined;
  /** The id of the row that edits apply to. */
  selected: string;
  /** Ids of the expanded blocks. */
  open: ReadonlySet<string>;
  /** The worker's latest description, and of which model. */
  described: { model: ModelFile; description: ModelDescription } | undefined;
  /** The last edit, for screen readers. */
  said: string;
  /** Counts the requests to focus the selected row. */
  focusRequests: number;
  /** Why the last file could not be opened. */
  fileError: FailureValue | undefined;
  /** Files of another program that are being looked at. */
  importing: readonly File[] | undefined;
}

/** A model without layers for the images of a data set; of 10 classes if it has none yet. */
export const emptyModel = (dataset?: Pick<DatasetEntry, 'shape' | 'classes'>): ModelFile => ({
  name: 'my-model',
  title: texts.head.first,
  description: '',
  input: dataset?.shape ?? [1, 28, 28],
  classes: dataset?.classes.length || 10,
  layers: [],
});

const startingModel = (): ModelFile => {
  const state = useApp.getState();
  return state.ownModel ?? emptyModel(chosenDataset(state));
};

/** The model on the Build screen. */
export const useBuild = create<BuildState>()(() => ({
  catalogue: undefined,
  history: startHistory(startingModel()),
  origin: undefined,
  followed: undefined,
  selected: IMAGE,
  open: new Set<string>(),
  described: undefined,
  said: '',
  focusRequests: 0,
  fileError: undefined,
  importing: undefined,
}));

/**
 * The model that Train has chosen: the model built here, or a built-in one for the images of the chosen data set. Before
 * anything is chosen or trained, a model that was built here on an earlier visit comes before the default.
 */
function modelInTrain(
  state: AppState,
  presets: readonly ModelFile[],
): { name: string; model: ModelFile } | undefined {
  const { settings, ownModel, runId } = state;
  const isUnchosen = settings.model === DEFAULT_SETTINGS.model && runId === 0;
  if (ownModel && (settings.model === OWN_MODEL || isUnchosen)) return { name: OWN_MODEL, model: ownModel };
  const preset = presets.find(({ name }) => name === settings.model);
  return preset && { name: preset.name, model: forImages(preset, chosenDataset(state)) };
}

/** With the data set's input and number of classes; the worker reports where the layers do not support them. */
function forImages(model: ModelFile, dataset: DatasetEntry | undefined): ModelFile {
  const classes = dataset?.classes.length ?? 0;
  if (!dataset || classes === 0) return model;
  const last = model.layers.findLastIndex(({ op }) => op === 'linear' || op === 'conv');
  const layers =
    classes === model.classes || last < 0
      ? model.layers
      : setAttributes(model.layers, last, {
          [model.layers[last].op === 'linear' ? 'outFeatures' : 'outChannels']: classes,
        });
  return { ...model, input: dataset.shape, classes, layers };
}

/**
 * Opens the model that Train has chosen, if the choice is another one than last time: whoever only looked at Train finds
 * the edits here unchanged. A model of one's own that is replaced returns with Undo.
 */
export function followTrain(): void {
  const { catalogue, followed, history } = useBuild.getState();
  if (!catalogue) return;
  const chosen = modelInTrain(useApp.getState(), catalogue.presets);
  const key = chosen && JSON.stringify(chosen);
  if (!chosen || key === followed) return;
  const isBuiltIn = chosen.name !== OWN_MODEL;
  const isSame = JSON.stringify(chosen.model) === JSON.stringify(history.present);
  useBuild.setState({
    followed: key,
    origin: isBuiltIn ? { name: chosen.name, model: isSame ? history.present : chosen.model } : undefined,
    ...(isSame
      ? {}
      : {
          history:
            history.present.layers.length > 0 ? change(history, chosen.model) : startHistory(chosen.model),
          open: new Set(),
          selected: IMAGE,
        }),
  });
  void describe();
}

/** What to choose in Train for the model here: a built-in one by its name while it is unchanged. */
export function choiceForTrain({ history, origin }: Pick<BuildState, 'history' | 'origin'>): string {
  return origin && history.present === origin.model ? origin.name : OWN_MODEL;
}

/** Loads the types of layers and the presets, once, and opens what Train has chosen. */
export async function loadBuild(): Promise<void> {
  if (useBuild.getState().catalogue) return followTrain();
  const catalogue = await askPart((api) => api.builder.buildCatalogue());
  if (catalogue) useBuild.setState({ catalogue });
  followTrain();
  if (!useBuild.getState().described) void describe();
}

let latestRequest = 0;

/** Has the worker check the model as it is now. A reply about an older model is dropped. */
async function describe(): Promise<void> {
  const model = useBuild.getState().history.present;
  const request = ++latestRequest;
  const description = await askPart((api) => api.builder.describeModel(model));
  if (!description || request !== latestRequest) return;
  useBuild.setState({ described: { model, description } });
  if (choiceForTrain(useBuild.getState()) === OWN_MODEL) {
    useApp.setState({ ownMistakes: description.errors.length });
  }
}

interface Edit {
  /** The row to select then. */
  select?: string;
  /** The announcement for screen readers. */
  say: string;
  /** Consecutive edits with the same key are undone together. */
  merge?: string;
}

/** Changes the model; the change can be undone. */
export function edit(model: ModelFile, { select, say, merge }: Edit): void {
  const { history, selected, origin } = useBuild.getState();
  // A built-in model that is changed becomes one's own.
  const isFirst = origin !== undefined && history.present === origin.model;
  const named = isFirst && model.title === origin.model.title ? { ...model, ...ownNames(model) } : model;
  settle(change(history, named, merge), select ?? selected, say);
}

/** The names of a copy of a built-in model. */
const ownNames = ({ name, title }: Pick<ModelFile, 'name' | 'title'>) => ({
  name: `my-${name.replaceAll('_', '-')}`,
  title: texts.head.own(title),
});

export const undoEdit = (): void => {
  const { history, selected } = useBuild.getState();
  if (history.past.length > 0) settle(undo(history), selected, texts.said.undone);
};

export const redoEdit = (): void => {
  const { history, selected } = useBuild.getState();
  if (history.future.length > 0) settle(redo(history), selected, texts.said.redone);
};

function settle(history: UndoHistory<ModelFile>, select: string, said: string): void {
  const { layers } = history.present;
  const items = itemsOf(layers);
  const before = useBuild.getState();
  // The selected row must exist and be visible.
  const at = placeOf(layers, select);
  const open = new Set(before.open);
  if (at >= 0) for (const id of blocksAround(items, at)) open.add(id);
  const known = rowsOf(items, open).some(({ id }) => id === select);
  const selected = known ? select : nearest(before, layers);
  useBuild.setState({ history, open, selected, said });
  useApp.getState().setOwnModel(history.present);
  dropPins(layers);
  void describe();
}

/** Removes pinned algorithms of layers that no longer exist. */
function dropPins(layers: readonly LayerData[]): void {
  const { pins, setPins } = useApp.getState();
  const own = pins[OWN_MODEL] ?? [];
  const left = own.filter(({ layer }) => placeOf(layers, layer) >= 0);
  if (left.length < own.length) setPins(OWN_MODEL, left);
}

/** The row to select after the selected one was removed. */
function nearest({ history, open, selected }: BuildState, layers: readonly LayerData[]): string {
  const old = history.present.layers;
  const place = rowsOf(itemsOf(old), open).find(({ id }) => id === selected)?.part.first ?? 0;
  const at = Math.min(place, layers.length) - 1;
  return at < 0 ? IMAGE : layers[at].name;
}

const model = () => useBuild.getState().history.present;
const withLayers = (layers: readonly LayerData[]): ModelFile => ({ ...model(), layers });

/** The visible rows, and the selected one of them. */
export function currentRows(): { items: Item[]; rows: TreeRow[]; row: TreeRow } {
  const { history, open, selected } = useBuild.getState();
  const items = itemsOf(history.present.layers);
  const rows = rowsOf(items, open);
  return { items, rows, row: rows.find(({ id }) => id === selected) ?? rows[0] };
}

/** Moves the keyboard focus to the selected row. */
export const focusRow = (): void =>
  useBuild.setState(({ focusRequests }) => ({ focusRequests: focusRequests + 1 }));

export const select = (selected: string): void => useBuild.setState({ selected });

export function toggle(id: string, wanted?: boolean): void {
  const open = new Set(useBuild.getState().open);
  if (wanted ?? !open.has(id)) open.add(id);
  else open.delete(id);
  useBuild.setState({ open });
}

/**
 * Inserts layers after a row.
 * @param made makes them for the model's layers and the number of input channels
 * @param after the row's id; default: the selected row
 */
export function add(
  made: (layers: readonly LayerData[], channels: number) => LayerData[],
  title: string,
  after?: string,
): void {
  const { rows, row } = currentRows();
  const place = (rows.find(({ id }) => id === after) ?? row).part.last;
  const { described, history } = useBuild.getState();
  const { layers, input } = history.present;
  const shape = place < 0 ? input : described?.description.layers[place]?.output;
  const added = made(layers, shape?.[0] ?? 16);
  const next = insertAfter(layers, place, added);
  const join = added.find(({ inputs }) => (inputs?.length ?? 0) > 1);
  const selected = join ? `block ${join.name}` : added[added.length - 1].name;
  edit(withLayers(next), { select: selected, say: texts.said.added(title) });
}

export function removeSelected(): void {
  const { row } = currentRows();
  if (row.kind === 'image') return;
  edit(withLayers(remove(model().layers, row.part)), { say: texts.said.deleted(nameOf(row)) });
}

export function duplicateSelected(): void {
  const { row } = currentRows();
  if (row.kind === 'image') return;
  const { layers } = model();
  const prefix = row.kind === 'block' ? row.block.name : row.id;
  const next = duplicate(layers, row.part, prefix);
  const length = row.part.last - row.part.first + 1;
  const copy = { first: row.part.first + length, last: row.part.last + length };
  const selected =
    row.kind === 'block' ? `block ${next[row.block.join + length].name}` : next[copy.first].name;
  edit(withLayers(next), { select: selected, say: texts.said.duplicated(nameOf(row)) });
}

/** The layers with the selected row moved by one place, or why that is not possible. */
export function moved(way: 'up' | 'down'): { layers: LayerData[] } | { obstacle: string } {
  const { items, row } = currentRows();
  if (row.kind === 'image') return { obstacle: texts.edits.inputStays };
  const other = neighbour(items, row.part, way === 'up' ? 'before' : 'after');
  if (!other) return { obstacle: way === 'up' ? texts.edits.isFirst : texts.edits.isLast };
  const { layers } = model();
  const next = way === 'up' ? swap(layers, other, row.part) : swap(layers, row.part, other);
  return next ? { layers: next } : { obstacle: texts.edits.notAcross };
}

export function move(way: 'up' | 'down'): void {
  const { row } = currentRows();
  const next = moved(way);
  if ('layers' in next) edit(withLayers(next.layers), { say: texts.said[way](nameOf(row)) });
}

/** Moves a row to directly after another, as dragging does. Does nothing where that is not possible. */
export function moveAfter(id: string, after: string): void {
  const { rows } = currentRows();
  const from = rows.find((row) => row.id === id);
  const to = rows.find((row) => row.id === after);
  if (!from || !to || from.kind === 'image' || from === to) return;
  let { layers } = model();
  let part: LayerRange = from.part;
  const goal = () => (to.kind === 'image' ? -1 : endOf(layers, to));
  // One place at a time, so that every intermediate order is valid.
  for (let steps = 0; steps < layers.length; steps++) {
    const up = part.first > goal() + 1;
    const down = part.last < goal();
    if (!up && !down) break;
    const other = neighbour(itemsOf(layers), part, up ? 'before' : 'after');
    const next = other && (up ? swap(layers, other, part) : swap(layers, part, other));
    if (!other || !next) return;
    const by = (other.last - other.first + 1) * (up ? -1 : 1);
    part = { first: part.first + by, last: part.last + by };
    layers = next;
  }
  edit(withLayers(layers), { select: id, say: texts.said.moved(nameOf(from)) });
}

/** Where a row ends in a list that may have changed. */
const endOf = (layers: readonly LayerData[], row: TreeRow): number => {
  if (row.kind === 'layer') return placeOf(layers, row.id);
  const find = (items: readonly Item[]): number | undefined => {
    for (const item of items) {
      if (item.id === row.id) return partOf(item).last;
      const inner = item.kind === 'block' ? find(item.items) : undefined;
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return find(itemsOf(layers)) ?? -1;
};

export function renameLayer(at: number, name: string): void {
  edit(withLayers(rename(model().layers, at, name)), {
    select: name,
    say: texts.said.renamed(name),
    merge: `name ${at}`,
  });
}

export function setAttribute(at: number, name: string, value: unknown): void {
  edit(withLayers(setAttributes(model().layers, at, { [name]: value })), {
    say: '',
    merge: `${model().layers[at].name} ${name}`,
  });
}

export const setLayerInputs = (at: number, inputs: readonly string[]): void =>
  edit(withLayers(setInputs(model().layers, at, inputs)), { say: texts.said.inputs });

/** Makes a row's output an input of a later layer: one more of a join, the only one of any other. */
export function connect(source: string, target: string): void {
  const { rows } = currentRows();
  const from = rows.find(({ id }) => id === source);
  const to = rows.find(({ id }) => id === target);
  if (!from || to?.kind !== 'layer') return;
  const { layers } = model();
  const name = from.part.last < 0 ? IMAGE : layers[from.part.last].name;
  const { inputs } = spellOut(layers)[to.at];
  if (from.part.last >= to.at || inputs.includes(name)) return;
  setLayerInputs(to.at, ['add', 'concat'].includes(layers[to.at].op) ? [...inputs, name] : [name]);
}

/** Takes an input from a layer, unless it has no other. */
export function disconnect(layer: string, input: string | undefined): void {
  const { layers } = model();
  const at = placeOf(layers, layer);
  if (at < 0) return;
  const left = spellOut(layers)[at].inputs.filter((name) => name !== input);
  if (left.length > 0) setLayerInputs(at, left);
  else edit(model(), { say: texts.said.oneInput });
}

/** Applies a fix that the worker offered. */
export const applyFix = (title: string, layers: readonly LayerData[]): void =>
  edit(withLayers(layers), { say: texts.said.fixed(title) });

/** Starts from another model. Undo restores the previous one. */
export function replaceModel(next: ModelFile, say: string): void {
  useBuild.setState({ open: new Set() });
  edit(next, { select: IMAGE, say });
}

/** Starts from a copy of a preset, under a name of its own. */
export function startFrom({
  title,
  name,
  description,
  input,
  classes,
  weightsInit,
  layers,
}: ModelFile): void {
  const copy: ModelFile = {
    ...ownNames({ name, title }),
    description,
    input,
    classes,
    ...(weightsInit ? { weightsInit } : {}),
    layers,
  };
  replaceModel(copy, texts.said.presetLoaded(title));
}

/** Opens a model file, or shows what files of another program contain. */
export async function openFiles(files: readonly File[]): Promise<void> {
  if (files.length === 1 && (await isModelFile(files[0]))) await openModel(files[0]);
  else useBuild.setState({ importing: files });
}

/** Opens a model file. An invalid one leaves the model as it is. */
async function openModel(file: File): Promise<void> {
  const text = await file.text();
  const answer = await ask((api) => api.builder.readModel(file.name, text));
  useBuild.setState({ fileError: answer.ok ? undefined : answer.error });
  if (!answer.ok) return;
  replaceModel(answer.value, texts.said.loaded(answer.value.title));
  focusRow();
}

const nameOf = (row: TreeRow): string => (row.kind === 'block' ? row.block.name : row.id);
