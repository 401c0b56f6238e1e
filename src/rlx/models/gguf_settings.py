"""How settings of a GGUF file that its family does not read are handled: documented as harmless, rejected, or named in a warning."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.models.settings import TENSORS
from rlx.models.source import GgufSource

HARMLESS: Mapping[str, str] = {
    "feed_forward_length": TENSORS,
    "expert_feed_forward_length": TENSORS,
    "expert_shared_feed_forward_length": TENSORS,
    "expert_shared_count": TENSORS,
    "leading_dense_block_count": TENSORS,
    "vocab_size": TENSORS,
    "attention.value_length": TENSORS,
    "attention.key_length": TENSORS,
    "attention.layer_norm_rms_epsilon": "for norms it does not have",
    "attention.layer_norm_epsilon": "for norms it does not have",
    "ssm.conv_kernel": TENSORS,
    "ssm.inner_size": TENSORS,
    "full_attention_interval": TENSORS,
    "tensor_data_layout": "the architecture says it",
    "rope.scaling.finetuned": "describes the training",
    "rope.dimension_sections": "for images: in text all sections share one position",
    "rope.dimension_count_swa": "the same as in the other layers",
    "attention.head_count_kv": "the same as the number of query heads",
    "rope.freq_base_swa": "for layers it does not have",
    "rope.dimension_count": "positions are learned",
    "rope.freq_base": "positions are learned",
}
ONLY: Mapping[str, tuple[Any, ...]] = {
    "attention.scale": (0,),
    "attention.clamp_kqv": (0,),
    "attention.max_alibi_bias": (0,),
    "logit_scale": (0, 1),
    "residual_scale": (0, 1),
    "embedding_scale": (0, 1),
    "attn_logit_softcapping": (0,),
    "final_logit_softcapping": (0,),
    "router_logit_softcapping": (0,),
    "expert_weights_scale": (0, 1),
    "expert_weights_norm": (True,),
    "expert_gating_func": (0, 1),
    "expert_group_count": (0, 1),
    "rope.scaling.attn_factor": (1,),
    "rope.scaling.yarn_log_multiplier": (0,),
    "rope.scale_linear": (1,),
    "use_parallel_residual": (False,),
    "attention.sliding_window": (0,),
    "rope.scaling.type": ("none",),
    "rope.scaling.factor": (0, 1),
    "expert_count": (0,),
}


def check_unread(source: GgufSource, *, embeds: bool) -> None:
    """After the family has read its settings: RLX702 for a value that is not implemented, a warning for unknown settings."""
    prefix = f"{source.architecture}."
    unread = {key.removeprefix(prefix): value for key, value in source.settings.items() if key.startswith(prefix)}
    unread = {key: value for key, value in unread.items() if key not in source.keys_read and key not in HARMLESS}
    only = {**ONLY, "attention.causal": (not embeds,)}
    for key, value in unread.items():
        if key in only and not any(np.array_equal(value, right) for right in only[key]):
            message = f"{source.path}: {prefix}{key} is {str(value)[:60]}, which is not implemented"
            wanted = " or ".join(repr(right) for right in only[key])
            raise RlxError("RLX702", message, fix=f"use a model where it is {wanted}; results would be wrong otherwise", at=None)
    unknown = [f"{prefix}{key}={str(value)[:40]}" for key, value in unread.items() if key not in only and np.any(value)]
    if unknown:
        warnings.warn(f"rlx: {source.path}: unknown settings have no effect: {', '.join(unknown[:8])}", stacklevel=4)
