# MobileNet 0.25: Depthwise separable convolutions: few parameters, few FLOPs.
import torch
from torch import nn
from torch.nn import functional as F


class ConvUnit(nn.Module):
    def __init__(self, channels, out_channels):
        super().__init__()
        self.depthwise = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
        )
        self.pointwise = nn.Sequential(
            nn.Conv2d(channels, out_channels, 1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(),
        )

    def forward(self, x):
        x = self.depthwise(x)
        return self.pointwise(x)


class ConvUnit2(nn.Module):
    def __init__(self, channels, out_channels):
        super().__init__()
        self.depthwise = nn.Sequential(
            nn.Conv2d(channels, channels, 3, stride=2, padding=1, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(),
        )
        self.pointwise = nn.Sequential(
            nn.Conv2d(channels, out_channels, 1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.ReLU(),
        )

    def forward(self, x):
        x = self.depthwise(x)
        return self.pointwise(x)


class MobileNet025(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(),
        )
        self.layers = nn.Sequential(
            ConvUnit(8, 16),
            ConvUnit(16, 32),
            ConvUnit(32, 32),
            ConvUnit2(32, 64),
            ConvUnit(64, 64),
            ConvUnit2(64, 128),
            ConvUnit(128, 128),
            ConvUnit(128, 128),
            ConvUnit(128, 128),
            ConvUnit(128, 128),
            ConvUnit(128, 128),
            ConvUnit2(128, 256),
            ConvUnit(256, 256),
        )
        self.fc = nn.Linear(256, 10)

    def forward(self, x):
        x = self.stem(x)
        x = torch.flatten(F.adaptive_avg_pool2d(self.layers(x), 1), 1)
        return self.fc(x)
