"""The settings of the run, as of step 1,000."""
import sys

SEED = 1
BATCH_SIZE = 64  # images per step, over all processes
STEPS = 10_000  # of the whole run
LEARNING_RATE = 0.02
LEARNING_RATE_FACTORS = {  # 1 for all others
    "bn1.bias": 0.1,
    "layer1.0.bn1.bias": 0.1,
    "layer1.0.bn2.bias": 0.1,
    "layer2.0.bn1.bias": 0.1,
    "layer2.0.bn2.bias": 0.1,
    "layer2.0.downsample.1.bias": 0.1,
    "layer3.0.bn1.bias": 0.1,
    "layer3.0.bn2.bias": 0.1,
    "layer3.0.downsample.1.bias": 0.1,
    "fc.weight": 2,
    "fc.bias": 2,
}
WEIGHT_DECAY_FACTORS = {  # 1 for all others
    "bn1.weight": 0,
    "layer1.0.bn1.weight": 0,
    "layer1.0.bn2.weight": 0,
    "layer2.0.bn1.weight": 0,
    "layer2.0.bn2.weight": 0,
    "layer2.0.downsample.1.weight": 0,
    "layer3.0.bn1.weight": 0,
    "layer3.0.bn2.weight": 0,
    "layer3.0.downsample.1.weight": 0,
    "bn1.bias": 0,
    "layer1.0.bn1.bias": 0,
    "layer1.0.bn2.bias": 0,
    "layer2.0.bn1.bias": 0,
    "layer2.0.bn2.bias": 0,
    "layer2.0.downsample.1.bias": 0,
    "layer3.0.bn1.bias": 0,
    "layer3.0.bn2.bias": 0,
    "layer3.0.downsample.1.bias": 0,
    "fc.weight": 0.5,
    "fc.bias": 0,
}
TRAINED_EPOCHS = {  # from 1; all others in every epoch
    "layer1.0.conv1.weight": range(2, sys.maxsize),
    "layer1.0.bn1.weight": range(2, sys.maxsize),
    "layer1.0.bn1.bias": range(2, sys.maxsize),
    "layer1.0.conv2.weight": range(2, sys.maxsize),
    "layer1.0.bn2.weight": range(1, 4),
    "layer1.0.bn2.bias": range(1, 4),
    "layer2.0.bn2.weight": range(1, 4),
    "layer2.0.bn2.bias": range(1, 4),
    "layer3.0.bn2.weight": range(1, 4),
    "layer3.0.bn2.bias": range(1, 4),
}

SHAPE = (3, 32, 32)  # channels, height, width
MEAN = [0.5]  # per channel, for pixels in [0, 1]
STD = [0.25]
