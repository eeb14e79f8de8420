# LeNet-5: The classic network for handwritten digits: two convolutions, three fully connected
# layers.
import keras
from keras import layers


def by_fan_in():
    return keras.initializers.VarianceScaling(1 / 3, "fan_in", "uniform")


def lenet5():
    inputs = x = keras.Input((28, 28, 1))
    x = layers.Conv2D(6, 5, padding="same", kernel_initializer=by_fan_in(), name="conv1")(x)
    x = layers.ReLU(name="relu1")(x)
    x = layers.MaxPooling2D(2, name="pool1")(x)
    x = layers.Conv2D(16, 5, kernel_initializer=by_fan_in(), name="conv2")(x)
    x = layers.ReLU(name="relu2")(x)
    x = layers.MaxPooling2D(2, name="pool2")(x)
    x = layers.Permute((3, 1, 2))(x)
    x = layers.Flatten(name="flatten")(x)
    x = layers.Dense(120, kernel_initializer=by_fan_in(), name="fc1")(x)
    x = layers.ReLU(name="relu3")(x)
    x = layers.Dense(84, kernel_initializer=by_fan_in(), name="fc2")(x)
    x = layers.ReLU(name="relu4")(x)
    x = layers.Dense(10, kernel_initializer=by_fan_in(), name="fc3")(x)
    return keras.Model(inputs, x)


if __name__ == "__main__":
    lenet5().summary()
