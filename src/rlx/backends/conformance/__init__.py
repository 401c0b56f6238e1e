"""One program that checks whether a device is correct: every case of every op record, against the reference.

    python -m rlx.backends.conformance --device cpu --mode test
    python -m rlx.backends.conformance --device cpu --mode grad --op attention --dtype bf16

It prints a table of op × dtype and a summary in its last line; the exit status is 1 if anything is wrong. It needs only NumPy and what the
device itself needs. The modes:

    test     each case compiled through all passes; if the device claims the op, also with its kernel alone, without any pass. Results must
             be within the error bound of the op's record, relative to the record's reference in f64. Outputs are placed inside larger
             buffers whose borders must not change; a device with threads must give the same bits on another number of threads.
    grad     the gradients of each case in a random direction, against the same gradient graph evaluated in f64. The bound comes from the
             records: every op of that graph is perturbed by its own bound, and the effects on a gradient are added (`ir.perturbation`).
    vmap     the case on two examples at once, with the batching rule of its record, against the reference on one example at a time.
    perf     the median time of a case, with its operations and bytes per second. Nothing is checked.
    support  yes, via decomposition, or the reason why not, for every dtype the op accepts. Nothing is run.

A device that computes nothing (`Backend.computes`) is planned and not compared.
"""

from rlx.backends.conformance.modes import MODES, CaseOutcome, outcomes
from rlx.backends.conformance.supported import Support, agree, support

__all__ = ["MODES", "CaseOutcome", "Support", "agree", "outcomes", "support"]
