"""The settings of the run, as they were after step 1,000."""

SEED = 1
BATCH_SIZE = 64  # images a step, of all processes together
STEPS = 10_000  # of the whole run
LEARNING_RATE = 0.001  # see learning_rate() in train.py

SHAPE = (3, 32, 32)  # channels, height, width
MEAN = [0.5]  # of pixels in [0, 1], by channel
STD = [0.25]
