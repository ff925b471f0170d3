"""Waits, for both kinds of clients."""

from time import sleep

from anyio import sleep as async_sleep

__all__ = ["async_sleep", "sleep"]
