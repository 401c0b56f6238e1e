"""Policies of `rlx.checkpoint`: which values a gradient keeps. `docs/transforms.md` lists them."""

from rlx.functions.checkpoint import Candidate as Candidate
from rlx.functions.checkpoint import Policy as Policy
from rlx.functions.checkpoint import checkpoint_dots as checkpoint_dots
from rlx.functions.checkpoint import checkpoint_dots_with_no_batch_dims as checkpoint_dots_with_no_batch_dims
from rlx.functions.checkpoint import dots_saveable as dots_saveable
from rlx.functions.checkpoint import dots_with_no_batch_dims_saveable as dots_with_no_batch_dims_saveable
from rlx.functions.checkpoint import everything_saveable as everything_saveable
from rlx.functions.checkpoint import nothing_saveable as nothing_saveable
from rlx.functions.checkpoint import save_any_names_but_these as save_any_names_but_these
from rlx.functions.checkpoint import save_anything_except_these_names as save_anything_except_these_names
from rlx.functions.checkpoint import save_from_both_policies as save_from_both_policies
from rlx.functions.checkpoint import save_only_these_names as save_only_these_names
