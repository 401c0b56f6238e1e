"""Quantization of graphs: observers, calibration, and the conversion of their products."""

from rlx.quant.calibrate import Calibration, Histogram, MeanSquare, MinMax, MovingAverage, Observer, Percentile, calibrate
from rlx.quant.convert import Converted, convert
from rlx.quant.grid import Grid, insert_qdq, signal_to_noise
from rlx.quant.nan_marks import mark_nan
from rlx.quant.post_training import LayerResult, QuantConfig, Quantized, quantize
from rlx.quant.propagate import propagate_qdq
from rlx.quant.trained import Comparison, compare, quantize_trained

__all__ = [
    "Calibration", "Comparison", "Converted", "Grid", "Histogram", "LayerResult", "MeanSquare", "MinMax", "MovingAverage",
    "Observer", "Percentile", "QuantConfig", "Quantized", "calibrate", "compare", "convert", "insert_qdq", "mark_nan",
    "propagate_qdq", "quantize", "quantize_trained", "signal_to_noise",
]  # fmt: skip
