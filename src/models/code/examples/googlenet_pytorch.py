# GoogLeNet: Nine Inception blocks with parallel filters of several sizes. Large; needs a GPU.
# Parameter names match wgrad's weight files:
# model.load_state_dict(safetensors.torch.load_file("weights.safetensors"))
import torch
from torch import nn
from torch.nn import functional as F


class ConvUnit(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(out_channels, eps=0.001)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


class ConvUnit2(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 1, bias=False)
        self.bn = nn.BatchNorm2d(out_channels, eps=0.001)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


class Branches(nn.Module):
    def __init__(self, in_channels, branch1_conv, branch2_0_conv, branch2_1_conv, branch3_0_conv, branch3_1_conv, branch4_1_conv):
        super().__init__()
        self.branch1 = ConvUnit2(in_channels, branch1_conv)
        self.branch2 = nn.Sequential(
            ConvUnit2(in_channels, branch2_0_conv),
            ConvUnit(branch2_0_conv, branch2_1_conv),
        )
        self.branch3 = nn.Sequential(
            ConvUnit2(in_channels, branch3_0_conv),
            ConvUnit(branch3_0_conv, branch3_1_conv),
        )
        self.branch4 = nn.Sequential(
            nn.MaxPool2d(3, stride=1, padding=1),
            ConvUnit2(in_channels, branch4_1_conv),
        )

    def forward(self, x):
        y = self.branch1(x)
        z = self.branch2(x)
        u = self.branch3(x)
        x = self.branch4(x)
        return torch.cat([y, z, u, x], 1)


class GoogLeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = ConvUnit(3, 64)
        self.conv2 = ConvUnit2(64, 64)
        self.conv3 = ConvUnit(64, 192)
        self.inception3a = Branches(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = Branches(256, 128, 128, 192, 32, 96, 64)
        self.inception4a = Branches(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = Branches(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = Branches(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = Branches(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = Branches(528, 256, 160, 320, 32, 128, 128)
        self.inception5a = Branches(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = Branches(832, 384, 192, 384, 48, 128, 128)
        self.fc = nn.Linear(1024, 10)

    def forward(self, x):
        x = self.conv1(x)
        x = self.conv2(x)
        x = F.max_pool2d(self.conv3(x), 3, stride=2, padding=1)
        x = self.inception3a(x)
        x = F.max_pool2d(self.inception3b(x), 3, stride=2, padding=1)
        x = self.inception4a(x)
        x = self.inception4b(x)
        x = self.inception4c(x)
        x = self.inception4d(x)
        x = F.max_pool2d(self.inception4e(x), 2)
        x = self.inception5a(x)
        x = torch.flatten(F.adaptive_avg_pool2d(self.inception5b(x), 1), 1)
        x = F.dropout(x, 0.2, self.training)
        return self.fc(x)


def start(model):
    """Initialises the parameters."""
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
        if isinstance(module, (nn.Conv2d, nn.Linear)) and module.bias is not None:
            nn.init.zeros_(module.bias)


if __name__ == "__main__":
    model = GoogLeNet()
    start(model)
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters")
    images = torch.zeros(2, 3, 32, 32)
    print(tuple(model(images).shape))
