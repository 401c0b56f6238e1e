"""How Qwen3.5 handles each field of its configs."""

from __future__ import annotations

from rlx.models.decoder import DECODER_SETTINGS
from rlx.models.settings import TENSORS, TRAINING, Settings

IMAGES = "for images and videos, which are not supported"
SHARED = Settings.of(
    " ".join(DECODER_SETTINGS.read - {"hidden_act"}),
    harmless={name: reason for name, reason in DECODER_SETTINGS.harmless.items() if name != "attention_bias"},
)
DENSE = SHARED.and_also(
    "linear_key_head_dim linear_value_head_dim linear_num_key_heads linear_num_value_heads",
    head_dim=256,
    harmless={
        "linear_conv_kernel_dim": TENSORS,
        "layer_types": TENSORS,
        "full_attention_interval": TENSORS,
        "mtp_num_hidden_layers": TENSORS,
        "mamba_ssm_dtype": "states are f32",
    },
    only={
        "attn_output_gate": (True,),
        "attention_bias": (False,),
        "mtp_use_dedicated_embeddings": (False,),
        "hidden_act": ("silu", "swish"),  # transformers' convolution would use another one too; its CUDA kernel would not
    },
)
EXPERTS = DENSE.and_also(
    "num_experts num_experts_per_tok",
    num_experts_per_tok=8,
    harmless={
        "moe_intermediate_size": TENSORS,
        "shared_expert_intermediate_size": TENSORS,
        "mlp_only_layers": TENSORS,
        "output_router_logits": TRAINING,
        "router_aux_loss_coef": TRAINING,
    },
)
TOKENS = ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id")
WHOLE = {
    "text_config": "its fields are read",
    "vision_config": IMAGES,
    "language_model_only": IMAGES,
    **dict.fromkeys(TOKENS, IMAGES),
}
SETTINGS = {
    "Qwen3_5ForCausalLM": DENSE,
    "Qwen3_5ForConditionalGeneration": DENSE.and_also(harmless=WHOLE),
    "Qwen3_5MoeForCausalLM": EXPERTS,
    "Qwen3_5MoeForConditionalGeneration": EXPERTS.and_also(harmless=WHOLE),
}
