/** The texts of Build. */
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';

const { count, many, word } = formsOf('en');

const layers = { one: 'layer', other: 'layers' };
const classes = { one: 'class', other: 'classes' };

export const build = inLanguage('build', {
  title: 'Build',
  label: 'Views of the model',
  views: {
    layers: {
      title: 'Layers',
      explanation:
        'Build your own network: a list of layers, from the image at the top to the answer at the bottom. Everything works with mouse or keyboard.',
    },
    graph: {
      title: 'Graph',
      explanation:
        'The same network as a graph. Drag between layers to connect them; select a connection and press Delete to remove it.',
    },
    code: {
      title: 'Code',
      explanation:
        'The same network as a program: for PyTorch or Keras in Python, or as a JSON file for wgrad.',
    },
  },
  invalidFile: 'Not a valid model file',
  invalidModel: 'The model is incomplete or has an error.',
  checking: 'Checking the changed model…',
  loadingGraph: 'Loading the graph…',
  edits: {
    status: 'Edits',
    history: 'History',
    nothingToUndo: 'Nothing to undo.',
    nothingToRedo: 'Nothing to redo.',
    label: 'Edit the selected layer',
    selectFirst: 'Select a layer first.',
    addTitle: 'Add a layer (A)',
    add: 'Add',
    upTitle: 'Move up (Alt ↑)',
    up: 'Up',
    downTitle: 'Move down (Alt ↓)',
    down: 'Down',
    duplicateTitle: 'Duplicate (Ctrl D)',
    duplicate: 'Duplicate',
    deleteTitle: 'Delete (Del)',
    delete: 'Delete',
    keys: (
      <>
        <kbd>A</kbd> add, <kbd>Enter</kbd> edit, <kbd>Alt ↑</kbd> <kbd>Alt ↓</kbd> move, <kbd>Ctrl D</kbd>{' '}
        duplicate, <kbd>Del</kbd> delete, <kbd>←</kbd> <kbd>→</kbd> collapse and expand blocks,{' '}
        <kbd>Ctrl Z</kbd> undo, <kbd>Ctrl Enter</kbd> use in Train.
      </>
    ),
    empty: 'No layers yet. Add one, or start from a well-known architecture.',
    inputStays: 'The input cannot be moved.',
    isFirst: 'Already first.',
    isLast: 'Already last.',
    notAcross: 'Cannot move across the layers of this block.',
  },
  /** What screen readers announce after an edit. */
  said: {
    undone: 'Undone.',
    redone: 'Redone.',
    added: (what: string) => `${what} added.`,
    deleted: (what: string) => `${what} deleted.`,
    duplicated: (what: string) => `${what} duplicated.`,
    up: (what: string) => `${what} moved up.`,
    down: (what: string) => `${what} moved down.`,
    moved: (what: string) => `${what} moved.`,
    renamed: (name: string) => `Renamed to ${name}.`,
    inputs: 'Inputs changed.',
    fixed: (problem: string) => `Fixed: ${problem}.`,
    loaded: (model: string) => `${model} loaded.`,
    presetLoaded: (model: string) => `${model} loaded. Undo to restore the previous model.`,
    oneInput: 'A layer needs at least one input.',
  },
  palette: {
    title: 'Add a layer',
    explanation: 'Inserted after the selected layer.',
    find: 'Find a layer to add',
    search: 'Search layers…',
    layers: 'Layers',
    none: 'No matching layers.',
    found: (found: number) => `${count(found)} found.`,
    blocks: 'Blocks',
  },
  blocks: {
    residual: {
      title: 'Residual block',
      everyday:
        'Two layers of patterns with a shortcut around them, so that a long chain of layers can still learn.',
      explanation:
        'Two convolutions with a skip connection, so the block only learns a residual. Makes deep networks trainable.',
    },
    unit: {
      title: 'Conv–BN–ReLU',
      everyday:
        'Looks for patterns, brings their numbers into a common range, and makes negative ones zero: three layers that many networks repeat.',
      explanation: 'Convolution, batch normalisation and ReLU: the basic unit of most CNNs.',
    },
    separable: {
      title: 'Depthwise separable conv',
      everyday:
        'Looks for patterns in each map by itself, then mixes the maps: nearly as good, with far less to compute.',
      explanation:
        'A depthwise convolution followed by a 1 × 1 (pointwise) convolution: similar results at a fraction of the cost.',
    },
  },
  code: {
    title: 'Code',
    pytorch: 'Self-contained. Parameter names match wgrad’s weight files (safetensors).',
    keras: 'Keras 3, functional API. Gives the same outputs for the same weights.',
    json: 'Model file. Reopen it here, or train it with “wgrad train --model FILE.json”.',
    nothing: 'Nothing to export yet.',
    copied: 'Copied.',
    notCopied: 'Could not copy. Select the text and copy it manually.',
    language: 'Language',
    copy: 'Copy',
    download: 'Download',
    none: 'No code to show',
    as: (model: string, language: string) => `${model} as ${language}`,
  },
  head: {
    model: 'Model',
    name: 'Name',
    empty: 'Empty model',
    first: 'My model',
    own: (model: string) => `My ${model}`,
    emptied: 'Empty model loaded. Undo to restore the previous one.',
    others: 'Others',
    startFrom: 'Start from',
    choose: 'Choose a model',
    chooseFirst: 'First choose a model to start from.',
    loadTitle: 'Replaces the current model. You can undo this.',
    load: 'Load',
    file: 'Model file',
    layers: 'Layers',
    parameters: 'Parameters',
    macs: 'MACs per image',
    macsTitle:
      'How many multiplications one image takes (MAC: multiply and add). Counted in the forward pass of convolutions and fully connected layers.',
    shapes: 'Shapes',
    errors: (errors: number) => many(errors, { one: 'error', other: 'errors' }),
    incomplete: 'incomplete',
    valid: 'valid',
    activationsOf: (batch: number) => `Activations, batch ${batch}`,
    activationsTitle: 'What all layers pass on for so many images at once: the activations of one batch',
    memoryOf: (batch: number) => `Memory, batch ${batch}`,
    memoryTitle:
      'The memory that training needs in all: parameters, gradients, optimiser state, activations, data and buffers',
    activations: (bytes: string) => `activations: ${bytes}`,
    exceeds: 'exceeds memory',
    noneFits: 'Not even one image fits.',
    largest: (batch: number) => `Largest batch size that fits: ${batch}.`,
    stopProfiling: (share: string) => `Stop profiling, ${share}`,
    profileTitle: 'Measure a training step layer by layer. Training pauses until it is done.',
    profile: 'Profile a step',
  },
  use: {
    stopAndUse: 'Stop the run and use',
    status: 'Use in Train',
    fix: (obstacle: string) => `${obstacle} Fix it to use the model in Train.`,
    images: (shape: string, of: number) => `images of ${shape} and ${many(of, classes)}`,
    noDataset: (images: string) => `No data set has ${images}. Import one that fits in Train.`,
    switches: (images: string, dataset: string) =>
      `The model needs ${images}, so Train switches to ${dataset}. `,
    stops: 'The open run is saved and stopped first.',
  },
  weights: { initial: 'Initial weights', ofRun: 'Weights of the run' },
  inspector: {
    image: 'Image',
    imageExplanation: 'The network’s input. Choose the data set it is built for.',
    residual: 'Residual block',
    parallel: 'Parallel branches',
    residualExplanation: 'Adds the block’s input to its output (skip connection).',
    parallelExplanation: 'Branches whose outputs are concatenated along channels.',
    collapse: 'Collapse block',
    expand: 'Expand block',
    dataset: 'Data set',
    match: (titles: string, sets: number) =>
      `${titles} ${word(sets, { one: 'matches', other: 'match' })} this input.`,
    paddings: { symmetric: 'symmetric', same: 'same', sides: 'each side' },
    noMatch: (of: number) => `${many(of, classes)}. No data set matches this input.`,
    imagesOf: (shape: string, of: number) => `${shape}, ${many(of, classes)}`,
    inputSet: (shape: string) => `Input set to ${shape}.`,
    inputs: 'Inputs',
    input: 'Input',
    inputAt: (place: number) => `Input ${place}`,
    missing: (name: string) => `${name} (missing)`,
    theImage: 'the image',
    removeInput: (name: string) => `Remove input ${name}`,
    allTaken: 'All earlier layers are already inputs.',
    addInput: 'Add input',
    and: ' and ',
    output: 'Output',
    parameters: 'Parameters',
    perImage: (amount: string) => `${amount} per image`,
    memory: 'Memory',
    memoryOf: (bytes: string, batch: number) => `${bytes}, batch ${batch}`,
    forward: 'Forward',
    backward: 'Backward',
    benchmark: 'Benchmark this layer in the Lab',
    vertical: (title: string) => `${title}, vertical`,
    horizontal: (title: string) => `${title}, horizontal`,
    badName: 'Use letters, digits, dots, dashes and underscores only.',
    reserved: 'This name is reserved.',
    taken: 'Name already in use.',
    nameHint: 'Prefix of its parameter names. Dots group layers into blocks.',
  },
  graph: {
    selectLayer: 'Press Enter to select the layer and edit it in the side panel.',
    selectConnection: 'Press Enter to select the connection, then Delete to remove it.',
    overview: 'Overview of the graph',
    connection: (from: string, to: string, shape: string) => `${from} to ${to}, ${shape}`,
    mismatch: (from: string, to: string, shape: string) => `${from} to ${to}, ${shape}, shape mismatch`,
    expanded: (block: string) => `Block ${block}, expanded`,
    collapsed: (block: string) => `Block ${block}, collapsed`,
    invalid: (name: string) => `${name}, has an error`,
    times: 'Forward and backward, of one step',
  },
  list: {
    caption: (model: string) => `Layers of ${model}`,
    layer: 'Layer',
    times: 'Fwd + bwd',
    macs: 'MACs',
    macsTitle: 'Multiply–accumulate operations per image',
    memoryTitle: (batch: number) => `Activations at batch size ${batch}`,
    timesTitle: (batch: number) => `Forward + backward per step, batch size ${batch}`,
    layers: (inside: number) => many(inside, layers),
  },
});
