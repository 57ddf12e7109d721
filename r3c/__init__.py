"""r3c: record the kernels of a CUDA application, search for faster ones, prove the gain, hand them back."""

__version__ = "0.1.0"
