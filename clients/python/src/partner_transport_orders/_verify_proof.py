"""Verification of custody proofs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast


@dataclass(frozen=True)
class ProofVerdict:
    """A verdict on a proof file (decisions 51 and 52)."""

    verdict: Literal["proven", "consistent", "invalid"]
    headline: str
    """The verdict as one sentence."""
    limit: str
    """What the verdict does not show."""


def verify_proof(
    file: bytes | str,
    *,
    trusted_keys: Sequence[str | Mapping[str, Any]] = (),
    witnesses: Sequence[str] | None = None,
    quorum: int | None = None,
    seen_head: tuple[int, str] | None = None,
) -> ProofVerdict:
    """Judges a proof file without the service; needs the extra `custody`.

    `trusted_keys` are vkeys, or elements of `keys` in a stored `/custody/keys.json`; without them
    nothing is proven. With `witnesses`, `quorum` of them must have cosigned; all by default. With
    `seen_head`, e.g. the `sequence` and the `head_hash` of a webhook's `data.custody`, the history
    must still contain that entry. A key that is not readable makes the verdict invalid, too. Raises
    ImportError without the extra.
    """
    from . import _custody_verifier as verifier  # imports rfc8785

    keys = [key if isinstance(key, str) else dict(key) for key in trusted_keys]
    try:
        text = file if isinstance(file, str) else file.decode()
        verdict, headline, limit = verifier.verify(text, keys, witnesses, quorum, seen_head)
    except Exception as error:  # whatever the file provokes
        fault = f"Invalid: {verifier.fault(error)}"[:1000]
        return ProofVerdict("invalid", fault, "An invalid file proves nothing about the order.")
    return ProofVerdict(cast("Literal['proven', 'consistent']", verdict), headline, limit)
