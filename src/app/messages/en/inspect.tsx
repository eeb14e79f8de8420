/** The texts of Inspect. */
import { formsOf } from '../forms.ts';
import { inLayers } from '../layers.ts';

const { count, many, word } = formsOf('en');

const images = { one: 'image', other: 'images' };

/** Pictures of a layer's values; size is absent for a vector's. */
interface LayerPictures {
  layer: string;
  shown: number;
  all: number;
  size: readonly [height: number, width: number] | undefined;
  least: string;
  most: string;
}

const english = {
  views: {
    title: 'Inspect',
    label: 'Inspect views',
    mistakes: {
      title: 'Mistakes',
      explanation: inLayers(
        'Images that the network gets wrong, and what it says instead. Select one to follow it through the network.',
        'Confusion matrix and misclassified images per epoch.',
        'confusion matrix',
      ),
    },
    image: {
      title: 'Network',
      explanation: inLayers(
        'Follow one image through the network, from left to right, also while it learns.',
        'Follow one image through every layer, live while the model trains, down to single values.',
        'feature map',
      ),
    },
    histograms: {
      title: 'Histograms',
      explanation: inLayers(
        'How the numbers inside the network spread and change while it learns.',
        'Weights, gradients and activations of every layer, from the first step to the newest.',
        'histogram',
      ),
    },
    map: {
      title: 'Map',
      explanation: inLayers(
        'Which images look alike to the network, and how that changes while it learns.',
        'How the network groups the test images, epoch by epoch.',
        'features',
      ),
    },
    batch: {
      title: 'Batch',
      explanation: inLayers(
        'The images that the network learnt from in its last step.',
        'The last training batch, exactly as the network received it.',
        'batch',
      ),
    },
    predict: {
      title: 'Predict',
      explanation: inLayers(
        'Let any network that you have look at many images at once, and keep its answers.',
        'Classify a test set or your own images with the weights of any run or file, and download the predictions.',
        'prediction',
      ),
    },
  },
  run: {
    untrained: 'Untrained',
    none: 'No run yet',
    shipped: 'A trained LeNet-5, before your first run',
    step: (step: number) => `Step ${count(step)}`,
    /** By how the run stands, after its step. */
    stands: {
      training: ', training',
      saving: ', saving',
      paused: ', paused',
      finished: ', finished',
      stoppedEarly: ', stopped early',
    } as Readonly<Record<string, string>>,
  },
  of: (some: number, all: number) => `${count(some)} of ${count(all)}`,
  showMore: 'Show more',
  loading: 'Loading…',
  trainingImage: (index: number, name: string) => `Training image ${count(index)}: ${name}`,
  batch: {
    none: 'The last batch',
    loading: 'Loading batch…',
    untrained: 'No batch yet. Train at least one step.',
    title: (step: number) => `The batch of step ${count(step)}`,
    values: (least: string, most: string, mean: string, deviation: string, augmentation?: string) =>
      `The network gets the pixels as numbers from ${least} to ${most} (mean ${mean}, standard deviation ${deviation}).` +
      `${augmentation === undefined ? '' : ` They were changed a little at random: ${augmentation}.`} Shown here with their original brightness.`,
    mixup: (share: string, other: string) =>
      ` Mixup: ${share} of each image blended with ${other} of another.`,
    images: 'Images of the batch',
    blended: (one: string, other: string) => `${one} with ${other}`,
    onPad: (index: number, step: number, name: string) =>
      `Training image ${count(index)}, as in step ${count(step)}: ${name}`,
    select: (image: string) => `${image}. Select to inspect it.`,
    shown: (some: number, all: number) => `${count(some)} of ${many(all, images)}`,
  },
  confusion: {
    title: 'Confusion matrix',
    explanation: inLayers(
      'What is mistaken for what. Each row is one kind of image, and shows what the network said about it.',
      'Test images by true class (rows) and predicted class (columns). The diagonal is correct.',
      'confusion matrix',
    ),
    selectable: inLayers(
      'What is mistaken for what. Each row is one kind of image, and shows what the network said about it. Select a number to see the images.',
      'Test images by true class (rows) and predicted class (columns). The diagonal is correct.',
      'confusion matrix',
    ),
    untested: 'Not tested yet. The model is tested after each epoch, or test it now.',
    untrained: 'No model yet. Train one to see its confusion matrix after the first epoch.',
    test: 'Test',
    correct: (accuracy: string, moment: string) => (
      <>
        <b>{accuracy}</b> correct at {moment}
      </>
    ),
    dropped: (shown: number) =>
      `Showing ${count(shown)} ${word(shown, { one: 'test', other: 'tests' })}; intermediate ones were dropped to save memory.`,
    latestOnly: 'Images are available for the latest test only. Move the slider to the end to see them.',
    inEpoch: (step: number, epoch: number) => `step ${count(step)}, in epoch ${count(epoch)}`,
    afterEpoch: (step: number, epoch: number) => `step ${count(step)}, after epoch ${count(epoch)}`,
  },
  gallery: {
    mistakes: 'Mistakes',
    images: 'Test images',
    none: 'Images appear here after the first test.',
    explanation: inLayers(
      'What the network said about each image that it was tested on, and how sure it was.',
      'Results of the latest test, sorted by confidence.',
      'confidence',
    ),
    trueClass: 'True class',
    predicted: 'Predicted',
    any: 'Any',
    clear: 'Clear filters',
    which: 'Mistakes, or all test images',
    all: 'All',
    order: 'Order',
    surest: 'Highest confidence',
    unsure: 'Lowest confidence',
    file: 'File order',
    perfect: 'No mistakes. Every test image is classified correctly.',
    noMatch: 'No images match these filters.',
    tested: (some: number, all: number, step: number) =>
      `${count(some)} of ${count(all)}, tested at step ${count(step)}`,
  },
  nearest: {
    title: 'Nearest training images',
    find: 'Find',
    comparing: 'Comparing…',
    byHand: 'Select Find. During training, the search does not run automatically.',
    select: (image: string, distance: string) => `${image}, distance ${distance}. Select to inspect it.`,
    method: (values: number, step: number, searched: number, total: number) =>
      `Euclidean distance of the ${count(values)} features before the last layer, at step ${count(step)}; ` +
      `${searched < total ? `${count(searched)} of ${count(total)}` : count(searched)} training images compared.`,
  },
  value: {
    title: 'How this value is computed',
    explanation: (value: string, formula: string) =>
      inLayers(
        'Every number in the network is worked out from others. These are the ones that this number comes from.',
        <>
          <code>{value}</code> is {formula}.
        </>,
        'value',
      ),
    terms: 'The values that it is computed from',
    result: 'The result is',
    input: 'Input',
    value: 'Value',
    weight: 'Weight',
    product: 'Product',
    largest: ' (the largest)',
    smaller: (left: number) => `${count(left)} smaller ${word(left, { one: 'one', other: 'ones' })}`,
    computed: 'Computed value',
    matches: 'Matches the network’s value: ',
    differs: 'Differs from the network’s value: ',
    network: 'Network’s value',
    difference: (relative: string, step: number) =>
      `. Relative difference: ${relative} (up to 1e-5 is rounding). Step ${count(step)}.`,
  },
  pixel: {
    explanation: (value: string, input: string, products: number, hasBias: boolean) =>
      inLayers(
        'The filter is laid over a small piece of the map before it. Numbers that lie on each other are multiplied, and all products added up.',
        <>
          <code>{value}</code> is the dot product of the filter and one patch of <code>{input}</code>:{' '}
          {count(products)} products, summed{hasBias ? ', plus the bias' : ''}.
        </>,
        'filter',
      ),
    patch: (input: string, channel: number) => `Patch of ${input}, channel ${channel}`,
    times: 'times',
    filter: (filter: number, channel: number) => `Filter ${filter}, channel ${channel}`,
    is: 'is',
    products: 'Products',
    channelSums: (size: number, sum: string, channels: number, total: string) =>
      `${size === 1 ? 'This channel sums' : `These ${count(size)} sum`} to ${sum}; all ${count(channels)} channels to ${total}.`,
    sums: (size: number, total: string) =>
      `${size === 1 ? 'The product is' : `These ${count(size)} products sum to`} ${total}.`,
    withBias: (bias: string) => `Adding the bias ${bias} gives`,
    noBias: 'There is no bias, so the result is',
    computed: 'Computed sum',
    contributions: (input: string) => `Contribution of each channel of ${input}`,
    channel: 'Channel ',
    smaller: (left: number) =>
      `and ${many(left, { one: 'channel', other: 'channels' })} with smaller contributions`,
    where: (channel: number, input: string, row: number, column: number) =>
      `Channel ${channel} of ${input}, with the patch at row ${row}, column ${column}`,
    at: (row: string, column: string) => `Patch at row ${row}, column ${column}.`,
    padding: 'Padding',
    makes: (layer: string, filter: number) =>
      `Map ${filter} of ${layer}, with the value that the patch makes`,
    map: (layer: string, filter: number) => `It makes one value of map ${filter} of ${layer}.`,
    play: 'Play',
    playTitle: 'Watch the filter slide over its input once.',
    stop: 'Stop',
    next: 'Next place',
  },
  image: {
    network: 'Network',
    failed: 'Could not inspect the network',
    noNetwork: 'No network yet. Select Train, or Step for a single step.',
    computing: 'Computing activations…',
    noImage: 'Draw something, upload an image or select a mistake to follow it through the network.',
    noDataset: 'No data set loaded yet.',
    filters: 'Filters',
    filter: (filter: number) => `Filter ${filter}`,
    pattern: inLayers(
      'The small patterns that this layer looks for. They begin as random numbers, and training shapes them.',
      'Filter weights. A filter responds most where the input matches its pattern.',
      'filter',
    ),
    perChannel: inLayers(
      'The small patterns that this layer looks for, in each of the maps before it.',
      'Filter weights per input channel. Each row is one filter.',
      'filter',
    ),
    has: (layer: string, filters: number, shape: string) => (
      <>
        <code>{layer}.weight</code> has {count(filters)} filters of {shape}
      </>
    ),
    range: (filter: number, least: string, most: string, bias?: string) =>
      `Filter ${filter} has weights from ${least} to ${most}${bias === undefined ? ', no bias.' : ` and the bias ${bias}.`}`,
  },
  maps: {
    colours: 'Colours',
    shared: 'Shared scale',
    own: 'Scale per map',
    input: inLayers(
      'The image, with its numbers brought into a common range.',
      'The normalised input image.',
      'input',
    ),
    output: 'Output of this layer.',
    outputs: (layer: string, shape: string) => (
      <>
        <code>{layer}</code> outputs {shape}
      </>
    ),
    parameters: (parameters: number) => `${count(parameters)} parameters`,
    title: 'Feature maps',
    about: (maps: number, height: number, width: number, inactive: number) =>
      `${maps} maps of ${height} × ${width}, ${inactive} inactive`,
    enlarge: 'Select a map to enlarge it',
    active: 'All channels are active for this image.',
    silent: (silent: number, all: number, which?: string) =>
      `${silent} of ${all} channels are all zero for this image${which === undefined ? '' : `: ${which}`}.`,
    noneDead: (step: number, tested: number) =>
      `None is dead at step ${count(step)}: each is active for some of ${tested} test images.`,
    dead: (step: number, tested: number, which: string) =>
      `Dead at step ${count(step)} (zero for all ${tested} test images): ${which}.`,
    more: (some: string, others: number) => `${some} and ${others} more`,
    checking: 'Checking…',
    checkingImages: 'Checking 64 images…',
    check: 'Check for dead channels',
    scores: 'Class scores (logits)',
    enlarged: (channel: number, layer: string) => `Channel ${channel} of ${layer}, enlarged`,
    select: 'Select a value',
    index: 'Index',
    channel: 'Channel',
    row: 'Row',
    column: 'Column',
    value: 'Selected value',
    range: (least: string, most: string) => `Channel range: ${least} to ${most}.`,
  },
  network: {
    title: 'Network',
    step: (step: number) => `Step ${count(step)}`,
    shipped: 'A LeNet-5 that wgrad trained on MNIST',
    fold: 'Fold stages',
    unfold: 'Unfold stages',
    explanation: inLayers(
      'From left to right, what each layer makes of the image, down to the answer. Point anywhere to see what it was made from.',
      'Point at a pixel to see what it reads: its receptive field. Select it to see its arithmetic.',
      'receptive field',
    ),
    layers: 'Layers of the network',
    columns: (shown: number, all: number) =>
      `${shown < all ? `${count(shown)} of ` : ''}${many(all, { one: 'column', other: 'columns' })}`,
    pictures: ({ layer, shown, all, size, least, most }: LayerPictures) =>
      `${layer}: ${shown} of ${all} ${size ? `maps of ${size[0]} × ${size[1]}` : 'values'}, from ${least} to ${most}`,
    part: (shown: number, all: number) => `${count(shown)} of ${count(all)}`,
    input: 'Image',
    onImage: 'On the image',
    shown: { image: 'Plain', 'grad-cam': 'Grad-CAM', occlusion: 'Occlusion' },
    trainFirst: 'Train a model first.',
    ofClass: 'For',
    predictedClass: 'predicted class',
    at: 'At',
    lastConvolution: 'last convolution',
    computing: 'Computing…',
    noEvidence: (name: string) => `No evidence for ${name}.`,
    strongest: (row: number, column: number) => `strongest around row ${row}, column ${column}`,
    evidence: (name: string, layer: string | undefined, where: string) =>
      `Evidence for ${name} at ${layer}: ${where}.`,
    falls: (name: string, square: string | undefined, where: string, by: string) =>
      `How far the probability of ${name} falls when a ${square} square covers each place: ${where}, by ${by}. Blue: it rises.`,
    image: 'The image that the network sees',
    probabilities: 'Probabilities of the classes',
    score: (name: string) => `How the score of ${name} is computed`,
  },
  histograms: {
    values: 'Values',
    record: 'Record while the model trains',
    untrained: 'No values yet. Train the model.',
    waiting: 'Counting…',
    off: 'Off: costs nothing. ',
    atMost: 'Uses at most 1 % of training time. ',
    cost: (time: string) => `${time} per record, at most 1 % of training time. `,
    records: (records: number) =>
      `${many(records, { one: 'record', other: 'records' })}, saved with the run.`,
    at: (step: number, mean: string, deviation: string) => `step ${count(step)}: ${mean} ± ${deviation}`,
    zero: (share: string) => `, ${share} zero`,
    broken: (values: number) => `, ${count(values)} not finite`,
    about: (layer: string, from: number, to: number, least: string, most: string) =>
      `${layer}, from step ${from} to ${to}: values from ${least} to ${most}`,
    numbers: 'As numbers, of the first and the newest record',
    caption: (kind: string) => `${kind} of the first and the newest record`,
    layer: 'Layer',
    step: 'Step',
    mean: 'Mean',
    deviation: 'Std. dev.',
    from: 'From',
    to: 'To',
    zeros: 'Zeros',
  },
  map: {
    title: 'Map of test images',
    method: 'Method',
    explanation: inLayers(
      'Images that look alike to the network are close together. Rings mark mistakes. Point at an image to see it; select it to follow it through the network.',
      'Each point is a test image: its features, which are the values before the last layer, drawn in two dimensions by principal components or UMAP.',
      'features',
    ),
    record: 'Record after each epoch',
    trainFirst: 'Train the model first.',
    recordNow: 'Record now',
    map: 'Map',
    moment: (step: number, epochs: number) =>
      `step ${count(step)}, after ${many(epochs, { one: 'epoch', other: 'epochs' })}`,
    untrained: 'The network is untrained. Train it to see how it groups the test images.',
    waiting: 'Computing the map…',
    testImage: (index: number, name: string) => `Test image ${count(index)}: ${name}`,
    predictedAs: (name: string) => `, predicted as ${name}`,
    about: (all: number, step: number, wrong: number) =>
      `${many(all, images)} at step ${count(step)}, ${count(wrong)} of them misclassified`,
    point: 'Point at a dot to see its image here.',
    noMistake: 'Every image is classified correctly.',
    next: 'Next mistake',
    pointFirst: 'Point at an image first.',
    follow: 'Follow it',
    correct: (share: string, all: number, step: number) => (
      <>
        <b>{share}</b> of {many(all, images)} correct at step {count(step)}
      </>
    ),
    computing: 'Computing…',
    components: (values: number, first: string, second: string) =>
      `Before its last layer, the network has ${count(values)} numbers for each image. The map shows the two directions in which ` +
      `they differ most, the principal components: ${first} and ${second} of all differences (variance).`,
    umap: (values: number) =>
      `Before its last layer, the network has ${count(values)} numbers for each image. UMAP keeps each image near the 15 most like it; ` +
      'how far groups are from each other means little.',
    rotated: 'Each map is turned to match the one before it.',
    asTable: 'As a table',
    caption: 'Classes on the map',
    class: 'Class',
    images: 'Images',
    mistakes: 'Mistakes',
    nearest: 'Nearest class',
  },
  predict: {
    chosen: 'Weights and images',
    failed: 'Could not predict',
    weights: 'Weights',
    images: 'Images',
    none: 'None',
    currentRun: 'Current run',
    atStep: (name: string, step: number) => `${name}, step ${count(step)}`,
    weightsFile: 'Weights file',
    weightsTitle:
      'A .safetensors file; select the model’s .json file as well if the weights do not contain it',
    open: 'Open…',
    testOf: (title: string) => `${title}, test`,
    ground: 'Background',
    grounds: {
      auto: 'Swap black and white if needed',
      keep: 'Keep the images as they are',
      invert: 'Swap black and white in all',
    },
    turned: (turned: number) =>
      `In ${many(turned, images)}, black and white were swapped, because the background is unlike that of the training images.`,
    imageFiles: 'Image files',
    files: 'Files…',
    folderLabel: 'Folder of images to predict',
    folderTitle: 'Subfolders named after the classes give labels',
    folder: 'Folder…',
    stop: (share?: string) => (share === undefined ? 'Stop' : `Stop, ${share}`),
    noImages: 'No images yet. Download a data set, or choose files.',
    title: 'Predictions',
    nothing:
      'Choose weights and images above, then select Predict. Here you will see the answer for each image and how sure the network is, and how many it gets right where the true classes are known.',
    about: (model: string, weights: string, on: string) => `${model}, weights of ${weights}, on ${on}.`,
    accuracy: 'Accuracy',
    loss: 'Loss',
    noLabels: 'no labels',
    timePerImage: 'Time per image',
    upload: 'Upload',
    forward: 'Forward pass',
    readBack: 'Read-back',
    unread: (skipped: number) => `${many(skipped, images)} could not be read`,
    jsonLines: 'JSON lines',
    which: 'Mistakes, or all images',
    all: 'All',
    mistakes: 'Mistakes',
    caption: 'The prediction for each image',
    image: 'Image',
    trueClass: 'True class',
    predicted: 'Predicted',
    confidence: 'Confidence',
    ofMistakes: (some: number, all: number) =>
      `${count(some)} of ${many(all, { one: 'mistake', other: 'mistakes' })}`,
  },
};

export type InspectTexts = typeof english;

export default english;
