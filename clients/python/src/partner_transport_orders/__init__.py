"""Client of the Partner Transport Orders API, with verifiers of webhooks and custody proofs."""

from ._async.changes import AsyncChanges
from ._async.client import AsyncClient
from ._async.pages import AsyncPages
from ._errors import (
    ApiError,
    AuthenticationError,
    BeyondFeedError,
    ConflictError,
    ConnectionFailedError,
    NotFoundError,
    NotSentError,
    PermissionDeniedError,
    RateLimitError,
    RequestRejectedError,
    ServerError,
    TimedOutError,
    TransportOrdersError,
    ValidationError,
)
from ._limits import Limits
from ._sync.changes import Changes
from ._sync.client import Client
from ._sync.pages import Pages
from ._verify_proof import ProofVerdict, verify_proof
from ._verify_webhook import WebhookRefused, verify_webhook
from ._version import VERSION as __version__

__all__ = [
    "ApiError",
    "AsyncChanges",
    "AsyncClient",
    "AsyncPages",
    "AuthenticationError",
    "BeyondFeedError",
    "Changes",
    "Client",
    "ConflictError",
    "ConnectionFailedError",
    "Limits",
    "NotFoundError",
    "NotSentError",
    "Pages",
    "PermissionDeniedError",
    "ProofVerdict",
    "RateLimitError",
    "RequestRejectedError",
    "ServerError",
    "TimedOutError",
    "TransportOrdersError",
    "ValidationError",
    "WebhookRefused",
    "__version__",
    "verify_proof",
    "verify_webhook",
]
