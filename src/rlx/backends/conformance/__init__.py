"""One program that says whether a device is right: every case of every op record, against the reference.

    python -m rlx.backends.conformance --device cpu --mode test
    python -m rlx.backends.conformance --device cpu --mode grad --op attention --dtype bf16

It prints a table of op × dtype and a summary as its last line; it ends with status 1 if anything is wrong. It needs NumPy and what the
device itself needs, no more. The modes:

    test     each case compiled through all passes; where the device claims the op, also by its kernel alone, through no pass. Results are
             within the bound that the op's record states, measured from the record's reference in f64. Outputs lie inside larger
             buffers whose borders must stay as they were; a device with threads gives the same bits on another number of them.
    grad     the gradients of each case in a random direction, against the same gradient graph evaluated in f64. The bound comes from the
             records: every op of that graph is moved by its own bound, and what that does to a gradient adds up (`ir.perturbation`).
    vmap     the case on two examples at once, by the batching rule of its record, against the reference on one example after another.
    perf     the median time of a case, with its operations and bytes per second. Nothing is judged.
    support  yes, via decomposition, or the reason why not, for every dtype the op accepts. Nothing is run.

A device that computes nothing (`Backend.computes`) is planned and not compared.
"""

from rlx.backends.conformance.comparing import agree
from rlx.backends.conformance.modes import MODES, CaseOutcome, outcomes
from rlx.backends.conformance.supported import Support, support

__all__ = ["MODES", "CaseOutcome", "Support", "agree", "outcomes", "support"]
