"""Loads each folder that `export --to keras` wrote, and writes the logits of its images beside them; then saves the
model and loads it again, as its program does."""
import importlib
import pathlib
import sys

import keras
import numpy as np

for folder in sys.argv[1:]:
    # Names of layers count those of all models before.
    keras.utils.clear_session()
    sys.path.insert(0, folder)
    for name in ("model", "load_weights"):
        sys.modules.pop(name, None)
    loader = importlib.import_module("load_weights")
    sys.path.pop(0)
    folder = pathlib.Path(folder)
    model = loader.load()
    height, width, channels = model.input_shape[1:]
    images = np.fromfile(folder / "images", np.uint8).reshape(-1, channels, height, width)
    x = (images.transpose(0, 2, 3, 1) / np.float32(255) - np.float32(loader.MEAN)) / np.float32(loader.STD)
    logits = np.asarray(model.predict(x, verbose=0), np.float32)
    model.save(folder / "model.keras")
    again = keras.saving.load_model(folder / "model.keras")
    if not np.array_equal(again.predict(x, verbose=0), logits):
        raise SystemExit(f"{folder}: the saved model answers differently")
    logits.tofile(folder / "logits")
