"""The loop that bounds integer work: products of bytes added in 32 bits, by the widest instruction the CPU has."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.target import refusal_of_tiles

CHAINS = 12


@dataclass(frozen=True)
class IntegerLoop:
    """LLVM text of `void integer_loop(ptr, i64, i64 rounds, ptr sink)`, and the operations of a round."""

    instruction: str
    text: str
    ops: int


def integer_loop(features: str) -> IntegerLoop:
    """For a CPU with these features, as LLVM lists them; tiles only where the system grants them."""
    enabled = {feature[1:] for feature in features.split(",") if feature.startswith("+")}
    if "amx-int8" in enabled and refusal_of_tiles(features) is None:
        return _tiles()
    if "avx512vnni" in enabled:
        return _vectors("vpdpbusd", 64)
    if "avxvnni" in enabled:
        return _vectors("vpdpbusd", 32)
    return _multiply_adds(32 if "avx2" in enabled else 16, "avx2" in enabled, "ssse3" in enabled)


def loop_text(name: str, declarations: str, before: str, phis: str, body: str, after: str) -> str:
    """LLVM text of `void name(ptr, i64, i64 rounds, ptr sink)`, which goes through `body` in every round."""
    return f"""
{declarations}
define void @{name}(ptr %unused, i64 %count, i64 %rounds, ptr %sink) {{
entry:
{before}
  br label %loop
loop:
  %r = phi i64 [ 0, %entry ], [ %next, %loop ]
{phis}
{body}
  %next = add i64 %r, 1
  %more = icmp ult i64 %next, %rounds
  br i1 %more, label %loop, label %done
done:
{after}
  ret void
}}
"""


def _tiles() -> IntegerLoop:
    """Four tiles of sums: what two tiles of rows and two of columns give, loaded once."""
    sizes = [0] * 64
    sizes[0] = 1
    sizes[16:32:2] = [64] * 8
    sizes[48:56] = [16] * 8
    table = ", ".join(f"i8 {size}" for size in sizes)
    names = {"ldtilecfg": "ptr", "tilerelease": "", "tilezero": "i8", "tileloadd64": "i8, ptr, i64", "tdpbusd": "i8, i8, i8"}
    declarations = "\n".join(f"declare void @llvm.x86.{name}({kinds})" for name, kinds in names.items())
    before = ["  call void @llvm.x86.ldtilecfg(ptr @tile_sizes)"]
    before += [f"  call void @llvm.x86.tilezero(i8 {tile})" for tile in range(4)]
    before += [f"  call void @llvm.x86.tileloadd64(i8 {tile}, ptr %sink, i64 64)" for tile in range(4, 8)]
    pairs = [(2 * row + column, 4 + row, 6 + column) for row in range(2) for column in range(2)]
    body = [f"  call void @llvm.x86.tdpbusd(i8 {c}, i8 {a}, i8 {b})" for c, a, b in pairs]
    text = loop_text(
        "integer_loop",
        f"@tile_sizes = private constant [64 x i8] [{table}], align 64\n{declarations}",
        "\n".join(before),
        "",
        "\n".join(body),
        "  call void @llvm.x86.tilerelease()",
    )
    return IntegerLoop("tdpbusd", text, 2 * len(pairs) * 16 * 16 * 64)


def _vectors(name: str, size: int) -> IntegerLoop:
    """Chains of sums of one instruction, which multiplies and adds."""
    sums, given = f"<{size // 4} x i32>", f"<{size} x i8>"
    intrinsic = f"llvm.x86.avx512.{name}.{8 * size}"
    phis = [f"  %a{i} = phi {sums} [ zeroinitializer, %entry ], [ %n{i}, %loop ]" for i in range(CHAINS)]
    body = [f"  %n{i} = call {sums} @{intrinsic}({sums} %a{i}, {given} %x, {given} %y)" for i in range(CHAINS)]
    text = loop_text(
        "integer_loop",
        f"declare {sums} @{intrinsic}({sums}, {given}, {given})",
        f"  %x = load volatile {given}, ptr %sink, align 4\n  %y = load volatile {given}, ptr %sink, align 4",
        "\n".join(phis),
        "\n".join(body),
        "\n".join(f"  store volatile {sums} %n{i}, ptr %sink, align 4" for i in range(CHAINS)),
    )
    return IntegerLoop(name, text, 2 * CHAINS * size)


def _multiply_adds(size: int, wide: bool, has_instruction: bool) -> IntegerLoop:
    """Products of bytes in 16 bits, added there; before SSSE3 products of 16-bit values in 32."""
    if not has_instruction:
        given, sums, intrinsic = "<8 x i16>", "<4 x i32>", "llvm.x86.sse2.pmadd.wd"
    else:
        given, sums = f"<{size} x i8>", f"<{size // 2} x i16>"
        intrinsic = "llvm.x86.avx2.pmadd.ub.sw" if wide else "llvm.x86.ssse3.pmadd.ub.sw.128"
    chains = CHAINS // 2
    phis = [
        f"  %a{i} = phi {sums} [ zeroinitializer, %entry ], [ %n{i}, %loop ]\n"
        f"  %x{i} = phi {given} [ %x, %entry ], [ %k{i}, %loop ]"
        for i in range(chains)
    ]
    keep = 'asm sideeffect "", "=x,0"'  # a product of the same bytes is not moved out of the loop
    body = [
        f"  %k{i} = call {given} {keep}({given} %x{i})\n"
        f"  %p{i} = call {sums} @{intrinsic}({given} %k{i}, {given} %y)\n  %n{i} = add {sums} %a{i}, %p{i}"
        for i in range(chains)
    ]
    text = loop_text(
        "integer_loop",
        f"declare {sums} @{intrinsic}({given}, {given})",
        f"  %x = load volatile {given}, ptr %sink, align 4\n  %y = load volatile {given}, ptr %sink, align 4",
        "\n".join(phis),
        "\n".join(body),
        "\n".join(f"  store volatile {sums} %n{i}, ptr %sink, align 4" for i in range(chains)),
    )
    lanes = size if has_instruction else 8
    return IntegerLoop("pmaddubsw" if has_instruction else "pmaddwd", text, 2 * chains * lanes)
