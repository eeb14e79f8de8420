/** What the panels of Train are, for whoever asks. */
const english = {
  matrix: {
    everyday:
      'What it takes for what. Each row is one kind of image, and shows what the network said about them. Select a number to see the images.',
    more: 'Test images by true class (rows) and predicted class (columns). The diagonal is correct.',
  },
  mistakes: {
    everyday: 'Images that it got wrong although it was sure. Select one to see what happened.',
    more: 'Misclassified test images, highest confidence first.',
  },
  filters: {
    everyday:
      'The small patterns that the network looks for first. They begin as chance, and become edges and strokes. Select one to see what it finds.',
    more: 'Weights of the first convolution: noise at the start, then edges and strokes.',
  },
  digit: {
    everyday:
      'Draw a digit: the network says at once what it reads, and how sure it is. While it learns, watch its answer change.',
    more: 'The prediction of the trained network or of the run, for the drawing as it is. Bars are the probabilities of the classes.',
  },
  image: {
    everyday: 'Draw something, or give it a picture: the network says what it sees, and how sure it is.',
    more: 'Draw, upload an image or pick a test image to see what the current model predicts. Bars are the probabilities of the classes.',
  },
};

export type AboutTexts = typeof english;

export default english;
