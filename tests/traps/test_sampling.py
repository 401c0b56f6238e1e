"""Traps of random ops: the counter advances, the bits are Philox's, settings are values, ties and filters are exact."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

import rlx

F32 = np.float32


# -- Philox4x32-10, from the paper (Salmon et al. 2011), on Python ints ------------------------------------------
def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 2**32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c


def test_the_oracle_knows_the_known_answers():
    full = 0xFFFFFFFF
    assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox([full] * 4, [full] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    pi = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0]
    assert philox(*pi) == [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]


def uniforms(seed, name, counter, stream, count):
    key = [seed % 2**32, (seed >> 32) ^ zlib.crc32(name.encode())]
    words = [word for block in range(-(-count // 4)) for word in philox([block, stream, counter % 2**32, counter >> 32], key)]
    return [(word >> 8) * 2.0**-24 for word in words[:count]]


def pick(logits, u, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0):
    """One row, by sorting Python tuples."""
    if temperature <= 0:
        return max(range(len(logits)), key=lambda i: (logits[i], -i))
    top = max(logits)
    weights = [float(F32(np.exp((v - top) / temperature))) for v in logits]
    order = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    if 0 < top_k < len(logits):
        order = order[:top_k]
    if top_p < 1:
        total, kept, mass = sum(weights[i] for i in order), [], 0.0
        for i in order:
            kept.append(i)
            mass += weights[i]
            if mass >= top_p * total:
                break
        order = kept
    alive = {i for i in order if weights[i] >= min_p}
    total = sum(weights[i] for i in sorted(alive))
    mass = 0.0
    for i in sorted(alive):
        mass += weights[i]
        if mass > u * total:
            return i
    raise AssertionError("u is below 1")


def sampler(device, batch=5, vocabulary=40, seed=11):
    g = rlx.Graph("sampler")
    logits = g.input("logits", (batch, vocabulary))
    settings = [
        g.input(name, (), dtype) for name, dtype in (("temperature", "f32"), ("top_k", "i32"), ("top_p", "f32"), ("min_p", "f32"))
    ]
    g.set_outputs({"id": g.rng("sampler", seed=seed).sample(logits, *settings)})
    return rlx.compile(g, device)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"temperature": 0.7},
        {"temperature": 0.0},
        {"top_k": 3},
        {"top_p": 0.6},
        {"min_p": 0.2},
        {"temperature": 1.3, "top_k": 10, "top_p": 0.8, "min_p": 0.05},
        {"top_k": 1},
        {"top_p": 0.0},
    ],
)
def test_sampling_four_times_in_a_row(device, settings):
    """Each run takes the next counter: four draws from one state, each by the formula, and not four times the same."""
    exe = sampler(device)
    chosen = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, **settings}
    given = {
        "temperature": F32(chosen["temperature"]),
        "top_k": np.int32(chosen["top_k"]),
        "top_p": F32(chosen["top_p"]),
        "min_p": F32(chosen["min_p"]),
    }
    logits = np.random.default_rng(3).uniform(-3, 3, (5, 40)).astype(F32)
    drawn = []
    for counter in range(4):
        found = exe(logits=logits, **given)
        u = uniforms(11, "sampler", counter, 0, 5)
        expected = [
            pick(
                logits[row].astype(np.float64).tolist(),
                u[row],
                **{n: float(v) for n, v in given.items() if n != "top_k"},
                top_k=chosen["top_k"],
            )
            for row in range(5)
        ]
        assert found.dtype == np.int32 and found.tolist() == expected, f"draw {counter}"
        drawn.append(found.tolist())
    assert exe.state("sampler") == 4
    if not settings or settings == {"temperature": 0.7}:
        assert len({tuple(row) for row in drawn}) == 4


def test_random_tensors_have_philox_bits_run_after_run(device):
    g = rlx.Graph("noise")
    x = g.input("x", (3, 5))
    rng = g.rng("noise", seed=2**40 + 9)
    g.set_outputs({"u": rng.uniform((3, 5)), "n": rng.normal((7,)), "d": rng.dropout(x, rate=0.25), "v": rng.uniform((2,), "bf16")})
    exe = rlx.compile(g, device)
    x = np.random.default_rng(0).uniform(1, 2, (3, 5)).astype(F32)
    for counter in range(4):
        found = exe.run({"x": x})
        u = [uniforms(2**40 + 9, "noise", counter, stream, 15) for stream in range(4)]
        np.testing.assert_array_equal(found["u"].ravel(), u[0])
        pairs = uniforms(2**40 + 9, "noise", counter, 1, 8)
        normal = []
        for even, odd in zip(pairs[::2], pairs[1::2], strict=True):
            radius = np.sqrt(-2 * np.log(1 - even))
            normal += [radius * np.cos(2 * np.pi * odd), radius * np.sin(2 * np.pi * odd)]
        np.testing.assert_allclose(found["n"], normal[:7], rtol=0, atol=8 * 2.0**-23 * max(map(abs, normal)))
        kept = np.array(u[2]).reshape(3, 5) >= 0.25
        np.testing.assert_allclose(found["d"], np.where(kept, x.astype(np.float64) / 0.75, 0), rtol=2 * 2.0**-23)
        np.testing.assert_array_equal(found["v"].astype(F32), np.array(u[3][:2]).astype(found["v"].dtype).astype(F32))


def test_a_restored_counter_repeats_its_draws(device):
    g = rlx.Graph("noise")
    g.set_outputs({"u": g.rng("r").uniform((4,))})
    exe = rlx.compile(g, device)
    first = exe().copy()
    saved = exe.session.snapshot()
    second = exe().copy()
    exe.session.restore(saved)
    np.testing.assert_array_equal(exe(), second)
    assert (first != second).any()


def test_a_counter_past_32_bits(device):
    g = rlx.Graph("noise")
    g.set_outputs({"u": g.rng("r", seed=5).uniform((6,))})
    exe = rlx.compile(g, device)
    exe()
    for counter in (2**32 - 1, 2**32, 2**40 + 7, 2**64 - 1):
        exe.session.set_state("r", np.array(counter, np.uint64))
        np.testing.assert_array_equal(exe(), uniforms(5, "r", counter, 0, 6))
    assert exe.state("r") == 0  # it wraps
