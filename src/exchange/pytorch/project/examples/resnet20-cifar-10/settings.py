"""The settings of the run, as of step 1,000."""

SEED = 1
BATCH_SIZE = 128  # images per step, over all processes
STEPS = 10_000  # of the whole run
LEARNING_RATE = 0.1  # see learning_rate() in optimization.py
WARMUP_STEPS = 782

SHAPE = (3, 32, 32)  # channels, height, width
MEAN = [0.5]  # per channel, for pixels in [0, 1]
STD = [0.25]
