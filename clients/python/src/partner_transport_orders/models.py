# Made from the OpenAPI document by `npm run generate`.
"""Objects of requests and responses.

They are dictionaries: members that were added after this version are there, too. Enumerations of
responses are strings, since values may be added (decision 63); `Known...` has those of today.
"""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class Address(TypedDict):
    street: str
    zip: str
    city: str
    country: NotRequired[str]
    """Default: `'DE'`."""
    label: NotRequired[str | None]


class ApiError(TypedDict):
    error: ApiErrorBody


class ApiErrorBody(TypedDict):
    code: ErrorCode
    message: str
    """Explanation for people; its wording may change."""
    details: NotRequired[dict[str, Any]]
    """Facts of this error; its members depend on `code`."""


class ApiKey(TypedDict):
    id: str
    name: str | None
    scopes: list[str]
    last4: str
    """The last four characters of the key."""
    created_at: str
    expires_at: str | None
    """The end of the key; null: none is set."""
    last_used_at: str | None
    """To the minute."""
    allowed_cidrs: list[str] | None
    """Client addresses that may use the key; null: any address."""
    replaced_by: str | None
    """The key that a rotation put in its place."""
    rotatable: bool
    """Whether you may rotate it now."""


class CompletenessProof(TypedDict):
    count: int
    """Number of the order's entries in the signed index."""
    head_hash: str
    path: list[str]
    """Sibling hashes from the order's leaf to the root of the index, deepest first, in base64."""
    other_leaf: OtherLeaf | None
    """For an order without entries: the leaf at its position, in base64; null if there is none."""
    checkpoint: str
    """The signed checkpoint whose line `order-index/1` has the root of the index."""


class Condition(TypedDict):
    order_id: str
    sequence: int
    """Number of the custody entry, from 1."""
    custody: ConditionCustody
    payload: dict[str, Any]
    """The payload of the custody entry, `condition/1`."""


class ConditionCreate(TypedDict):
    device_id: str
    """Identifies the logger."""
    calibration_reference: NotRequired[str | None]
    """Names the calibration certificate of the logger."""
    calibration_date: NotRequired[str | None]
    """Date of the calibration, `YYYY-MM-DD`."""
    unit: KnownTemperatureUnit
    media_type: KnownReadingsType
    readings: str
    """Readings in the form of `media_type`, at most 5 MiB and 100,000. The file that a logger or its program writes mostly has other columns and times and must be converted. Times are RFC 3339 with an offset and increase; the last one is not before the order was created. Values are numbers with a decimal point, without a unit. The text is stored byte for byte."""
    summary: NotRequired[ConditionSummary | None]
    """Your summary, in `unit`. A value that the readings do not give is rejected."""


ConditionCustody = TypedDict("ConditionCustody", {
    "from": "str | None",
    "to": "str | None",
    "covered": "CoveredCustody | None",
    "outside": "OutsideExcursions",
})


class ConditionSummary(TypedDict):
    count: NotRequired[int]
    minimum: NotRequired[float]
    maximum: NotRequired[float]
    mean: NotRequired[float]


CoveredCustody = TypedDict("CoveredCustody", {
    "from": "str",
    "to": "str",
    "count": "int",
    "minimum": "float",
    "maximum": "float",
})


class CoveringCheckpoint(TypedDict):
    origin: str
    leaf_index: int
    """Index of the chain's last entry in the log, from 0."""
    tree_size: int
    """Number of entries that the checkpoint covers."""
    signed_at: str
    note: str
    """The signed checkpoint (C2SP tlog-checkpoint)."""


class CustodyEntry(TypedDict):
    id: str
    type: CustodyEntryType
    internal_type: str
    """Specific type of the entry, such as `SEAL_APPLIED`. Values may be added."""
    ts_utc: str
    gps_lat: float | None
    gps_lng: float | None
    payload: dict[str, Any] | None
    """Details of the event; its members depend on `internal_type`. A personal field is a commitment, `{'commitment': HASH}`; its value stands in `disclosed`."""
    prev_event_hash: str
    """`event_hash` of the previous entry; the genesis hash for the first entry."""
    event_hash: str
    """hex(SHA-256) of the RFC 8785 form of `v` ('custody-event/1'), `order_id` and all other members of the entry but `disclosed`."""
    disclosed: dict[str, Any]
    """Values of the personal fields of `payload`, by field. The commitment is hex(SHA-256) of the RFC 8785 form of `v` ('commitment/1'), `field`, `value` and `salt`. An erased field is absent."""


CustodyEntryType = str
"""Type of a custody entry. Values may be added: accept unknown ones. Known values: `order.submitted`, `order.assigned`, `order.accepted`, `order.driver_assigned`, `order.pickup_started`, `order.sealed`, `order.in_transit`, `order.delivered`, `order.closed`, `order.cancelled`, `order.updated`, `order.incident_reported`, `order.escalated`."""


class CustodyGenesis(TypedDict):
    rule: str
    hash: str


class CustodyProof(TypedDict):
    v: Literal["custody-proof/1"]
    order_id: str
    genesis: CustodyGenesis
    entries: list[CustodyEntry]
    count: int
    head_hash: str
    log: LogProof | None
    """Null while no checkpoint covers the last entry: repeat the request after 1 s."""
    completeness: CompletenessProof | None
    """Proves that no entry is missing. Null while no checkpoint covers the last entry."""
    keys: list[LogKey]


class Delivery(TypedDict):
    id: str
    """The value of the header `X-Service-Delivery`."""
    endpoint_id: str
    endpoint_address: str | None
    """Host and path of the endpoint's URL; of a deleted endpoint those at its deletion."""
    endpoint_deleted_at: str | None
    """When the endpoint was deleted; null if it exists."""
    order_id: str
    order_external_id: str | None
    """Your reference of the order."""
    event: EventName
    sequence: int | None
    """The event's number in the endpoint's stream, from 1 without gaps. A replay has the number of the delivery that it repeats."""
    state: DeliveryState
    reason: str | None
    """Why the delivery ended, if not by an attempt."""
    replay_of: str | None
    """The delivery that this one repeats; null if it repeats none."""
    created_at: str
    due_at: str | None
    """When the next attempt is due; null when the delivery has ended."""
    attempts: list[DeliveryAttempt]


class DeliveryAttempt(TypedDict):
    at: str
    status_code: int | None
    """Status of the response; null if there was no response."""
    error: str | None
    """Why there was no response: `timeout`, `tls` or another reason of a handshake. `duplicate`: there was one, and a rehearsal of the sandbox sends the delivery again."""
    duration_ms: float
    response_body: str | None
    """The first 1 KiB of the body of the response as text; null if it has none or was erased with personal data of the order. In the list of an order only for the last attempt of each delivery."""


class DeliveryList(TypedDict):
    data: list[Delivery]
    next_cursor: str | None
    """Pass as `cursor` to get the next page; null on the last page."""


DeliveryState = str
"""State of a delivery. Values may be added: accept unknown ones. Known values: `PENDING`, `DELIVERED`, `EXHAUSTED`."""


class Disclosure(TypedDict):
    value: Any
    """The field's value."""
    salt: str
    """32 random bytes as hexadecimal digits."""


class Endpoint(TypedDict):
    """Exactly one of `location_id`, `address`, `address_text`; null counts as absent."""

    location_id: NotRequired[str | None]
    address: NotRequired[Address | None]
    address_text: NotRequired[str | None]


class EndpointSummary(TypedDict):
    endpoint_id: str
    endpoint_address: str
    endpoint_deleted_at: str | None
    """When the endpoint was deleted; null if it exists."""
    endpoint_status: WebhookEndpointStatus | None
    endpoint_disabled: bool
    events: int
    """Number of events of the order that were sent to the endpoint, or that its filter selects since its creation."""
    delivered: int
    """Of these, the events that the endpoint has received."""
    failed: int
    """Of these, the events that it has not received and that wait for no attempt: recover them."""
    last_delivered_at: str | None
    due_at: str | None
    """When the next attempt is due; null if none is."""
    last_failure: DeliveryAttempt | None
    """The last attempt for an event that the endpoint has not received."""


ErrorCode = str
"""Stable code of an error: decide by it. Values may be added: accept unknown ones. Known values: `MISSING_API_KEY`, `INVALID_API_KEY`, `API_KEY_REVOKED`, `API_KEY_EXPIRED`, `API_KEY_WRONG_ENVIRONMENT`, `ORGANIZATION_NOT_ENABLED`, `INSUFFICIENT_SCOPE`, `CLIENT_ADDRESS_NOT_ALLOWED`, `RATE_LIMITED`, `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`, `METHOD_NOT_ALLOWED`, `REQUEST_TIMEOUT`, `NOT_FOUND`, `LOCATION_NOT_FOUND`, `ADDRESS_NOT_RESOLVED`, `GEOCODER_UNAVAILABLE`, `IDEMPOTENCY_IN_PROGRESS`, `IDEMPOTENCY_KEY_REUSED`, `DUPLICATE_EXTERNAL_ID`, `ILLEGAL_TRANSITION`, `CANCEL_NOT_ALLOWED`, `KEY_ROTATION_NOT_ALLOWED`, `WEBHOOK_LIMIT_REACHED`, `SERVICE_UNAVAILABLE`, `DEADLINE_EXCEEDED`, `INTERNAL`."""


EtaSource = str
"""How an expected time was found. Values may be added: accept unknown ones. Known values: `estimate`, `driver`, `router`."""


EventName = str
"""Name of an event. Values may be added: accept unknown ones. Known values: `order.submitted`, `order.assigned`, `order.accepted`, `order.driver_assigned`, `order.pickup_started`, `order.sealed`, `order.in_transit`, `order.delivered`, `order.closed`, `order.cancelled`, `order.updated`, `order.incident_reported`, `order.escalated`, `order.test`."""


class EventPage(TypedDict):
    data: list[FeedEvent]
    next_after: int
    """`after` of the next request, also if this page is empty. Store it after you have processed the page."""
    feed: str
    """Identifies the feed: store it beside `next_after`, and send both."""
    has_more: bool
    """Whether there were events after this page."""
    as_of: str
    """This page and those after it contain every event that was placed in the log before this time."""
    checkpoint: str | None
    """The newest signed checkpoint of the log (C2SP tlog-checkpoint); null before the first one."""


class FeedEvent(TypedDict):
    number: int
    """The event's number among those of your organization: 1, 2, 3 … without a gap."""
    event: EventName
    occurred_at: str
    """Time of the event; equals `ts_utc` of the custody entry."""
    data: FeedEventData
    links: WebhookEventLinks
    custody: FeedEventEntry


class FeedEventData(TypedDict):
    order: WebhookEventOrder
    custody: WebhookEventCustody


class FeedEventEntry(TypedDict):
    """The custody entry. The log contains it if the `checkpoint` covers more than `leaf_index` leaves."""

    id: str
    leaf_index: int
    """Index of the entry's leaf in the log, from 0."""
    prev_event_hash: str
    event_hash: str


HandoverMethod = str
"""How a handover is confirmed. `code`: the four digits of the page of the link for that side, compared by the server. `device_signature`: a driver’s device signed the record. Values may be added: accept unknown ones. Known values: `signature`, `pin`, `scan`, `photo`, `id_checked`, `code`, `device_signature`."""


HandshakeReason = str
"""Why a handshake failed. `unreachable`: no connection: unknown name, rejected address or no listener; `tls`: no trusted certificate for the host; `timeout`: no complete response in time; `connection_lost`: the connection ended early; `protocol`: not an HTTP response; `redirect`: 3xx; redirects are not followed; `status`: a status other than 2xx; `body`: the nonce is not the body; `echo`: the body repeats more of the request than the nonce; `not_sent`: the service could not send the request. Values may be added: accept unknown ones. Known values: `unreachable`, `tls`, `timeout`, `connection_lost`, `protocol`, `redirect`, `status`, `body`, `echo`, `not_sent`."""


class HandshakeResult(TypedDict):
    ok: bool
    reason: HandshakeReason | None
    """Null if the handshake passed."""
    status_code: int | None
    """Status of the response; null if there was no response."""


IncidentKind = str
"""What an incident concerns. Values may be added: accept unknown ones. Known values: `damage`, `delay`, `temperature`, `seal`, `access`, `accident`, `other`, `escalation`."""


IncidentSeverity = str
"""How grave an incident is. Values may be added: accept unknown ones. Known values: `low`, `medium`, `high`."""


class KeyRotation(TypedDict):
    overlap: NotRequired[int]
    """Seconds during which the previous key works, too; at least 60 for the key with which you call. Default: `86400`."""


KnownDeliveryState = Literal["PENDING", "DELIVERED", "EXHAUSTED"]


KnownEventName = Literal["order.submitted", "order.assigned", "order.accepted", "order.driver_assigned", "order.pickup_started", "order.sealed", "order.in_transit", "order.delivered", "order.closed", "order.cancelled", "order.updated", "order.incident_reported", "order.escalated", "order.test"]


KnownHandoverMethod = Literal["signature", "pin", "scan", "photo", "id_checked", "code", "device_signature"]


KnownOrderSide = Literal["pickup", "dropoff"]


KnownOrderStatus = Literal["DRAFT", "SUBMITTED", "ASSIGNED", "ACCEPTED", "DRIVER_ASSIGNED", "PICKUP_STARTED", "SEALED", "IN_TRANSIT", "DELIVERED", "CLOSED", "CANCELLED"]


KnownReadingsType = Literal["text/csv", "application/x-ndjson"]


KnownRehearsalFault = Literal["duplicate", "late", "reorder"]


KnownRequestMethod = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"]


KnownScope = Literal["orders:read", "orders:write", "webhooks:manage", "keys:rotate"]


KnownSla = Literal["STANDARD", "EXPRESS", "CRITICAL"]


KnownTemperatureUnit = Literal["celsius", "fahrenheit", "kelvin"]


class Location(TypedDict):
    id: str
    label: str
    street: str
    zip: str
    city: str
    country: str
    lat: float | None
    """Latitude; null if geocoding found no coordinates."""
    lng: float | None
    """Longitude; null if geocoding found no coordinates."""
    created_via_api: bool
    created_at: str


class LocationCreate(TypedDict):
    label: str
    street: str
    zip: str
    city: str
    country: NotRequired[str]
    """Default: `'DE'`."""
    notes: NotRequired[str | None]
    contact_name: NotRequired[str | None]
    contact_phone: NotRequired[str | None]


class LogKey(TypedDict):
    vkey: str
    """`name+hash+key` (C2SP signed note). Trust it only if you have it from another source, too."""
    valid_from: str
    valid_until: str | None


class LogProof(TypedDict):
    origin: str
    leaf_index: int
    """Index of the chain's last entry in the log, from 0."""
    tree_size: int
    """Number of entries that the checkpoint covers."""
    inclusion: list[str]
    """Inclusion proof of the last entry's leaf, in base64 (RFC 6962)."""
    checkpoint: str
    """The signed checkpoint (C2SP tlog-checkpoint)."""


class LoggedRequest(TypedDict):
    id: str
    at: str
    """When the request arrived."""
    method: RequestMethod
    path: str
    """Path below the base URL, at most 255 characters, without the query. A part that cannot be an id is `*`."""
    operation: str | None
    """The `operationId` in the OpenAPI document; null if no operation has this path and method."""
    status: int
    """Status of the response. 499: your client disconnected before the response."""
    code: str | None
    """Code of the error; null for a success and for validation errors, which have none."""
    errors: list[RequestError]
    """The fields that the response named, the first 10; empty if it named none."""
    required_scope: str | None
    """The scope that the response to a 403 named; else null."""
    request_id: str
    """The `X-Request-Id` of the response."""
    duration_ms: float
    """Time from arrival to the end of the response, in ms."""
    key_id: str
    """Id of the API key."""
    left_out: int | None
    """Number of further requests of the same minute that were rejected and are not in the log; null if there are none."""


class NewOrderLink(TypedDict):
    id: str
    side: OrderSide
    created_at: str
    expires_at: str
    """The link ends then, and 24 hours after the order’s end."""
    url: str
    """Give it to the people of that side. What stands behind `#` is a secret."""


class OpenIncident(TypedDict):
    entry: int
    """The number of its entry in the custody history, from 1."""
    kind: IncidentKind
    severity: IncidentSeverity


class Order(TypedDict):
    id: str
    external_id: str | None
    """Your reference, unique in your organization."""
    status: OrderStatus
    sla: Sla
    source: str | None
    """Origin of the order; `partner_api` for orders created by this API."""
    pickup_location: Location | None
    dropoff_location: Location | None
    dropoff_address_text: str | None
    """`address_text` of the request; null if the request had another variant."""
    pickup_window_start: str | None
    pickup_window_end: str | None
    pickup_eta: str | None
    """When the driver is expected at the pick-up, until the pick-up starts; as of `updated_at`, and no promise."""
    dropoff_eta: str | None
    """When the goods are expected at the drop-off, until the delivery; null if nothing is known."""
    eta_source: EtaSource | None
    """For the next stop: an `estimate` by distance and time of day, the word of the `driver`, or by a `router` from the driver’s position."""
    notes: str | None
    pickup_detail: str | None
    dropoff_detail: str | None
    items: list[OrderItem]
    price_total: float | None
    """Price with at most two decimals; null until the operator sets it."""
    cancel_reason: str | None
    required_evidence: OrderEvidence | None
    """`required_evidence` of the request."""
    temperature_min: float | None
    """`temperature_min` of the request."""
    temperature_max: float | None
    """`temperature_max` of the request."""
    has_incident: bool
    """Whether an incident of the order was reported; its custody history has each one."""
    open_incidents: list[OpenIncident]
    """Incidents and escalations that no later entry of the custody history resolved, oldest first."""
    created_at: str
    updated_at: str | None


class OrderCancel(TypedDict):
    reason: str


class OrderCreate(TypedDict):
    external_id: NotRequired[str | None]
    pickup: Endpoint
    dropoff: Endpoint
    sla: NotRequired[KnownSla]
    """Default: `'STANDARD'`."""
    pickup_window_start: str
    """A time without an offset is UTC."""
    pickup_window_end: NotRequired[str | None]
    notes: NotRequired[str | None]
    pickup_detail: NotRequired[str | None]
    dropoff_detail: NotRequired[str | None]
    items: NotRequired[list[OrderItemCreate]]
    """Default: `[]`."""
    goods_type: NotRequired[str]
    """Goods type of a single item; ignored if `items` has entries. Default: `''`."""
    auto_dispatch: NotRequired[bool]
    """false: the order stays a DRAFT until you submit it. Default: `true`."""
    required_evidence: NotRequired[RequiredEvidence | None]
    """How handovers must be confirmed before the order can go on."""
    temperature_min: NotRequired[float | None]
    """Lowest permitted temperature of the goods in °C. Readings below it within the custody become an incident."""
    temperature_max: NotRequired[float | None]
    """Highest permitted temperature of the goods in °C. Readings above it within the custody become an incident."""


class OrderCustody(TypedDict):
    order_id: str
    count: int
    """Number of entries of the chain."""
    head_hash: str
    """`event_hash` of the last entry; the genesis hash for an empty chain."""
    checkpoint: CoveringCheckpoint | None


class OrderDeliveries(TypedDict):
    data: list[Delivery]
    has_more: bool
    """Whether the order has more than these 1,000, the newest ones."""
    endpoints: list[EndpointSummary]


OrderEvidence = TypedDict("OrderEvidence", {
    "pickup": "list[HandoverMethod]",
    "dropoff": "list[HandoverMethod]",
    "return": "list[HandoverMethod]",
})


class OrderItem(TypedDict):
    goods_type: str
    seal_id: str | None
    """Seal of this item; null until the order is SEALED."""


class OrderItemCreate(TypedDict):
    goods_type: str


class OrderLink(TypedDict):
    id: str
    side: OrderSide
    created_at: str
    expires_at: str
    """The link ends then, and 24 hours after the order’s end."""
    views: int
    """How often its page was opened."""
    last_viewed_at: str | None


class OrderLinkCreate(TypedDict):
    side: KnownOrderSide
    expires_in: NotRequired[int]
    """Seconds from now to the end of the link. Default: `2592000`."""


class OrderList(TypedDict):
    data: list[Order]
    next_cursor: str | None
    """Pass as `cursor` to get the next page; null on the last page."""
    as_of: str | None
    """Set on the first page of a list by `updated_since`: pass it as `updated_since` next time to receive every later change."""


OrderSide = str
"""Side of an order. Values may be added: accept unknown ones. Known values: `pickup`, `dropoff`."""


OrderStatus = str
"""Status of an order. Values may be added: accept unknown ones. Known values: `DRAFT`, `SUBMITTED`, `ASSIGNED`, `ACCEPTED`, `DRIVER_ASSIGNED`, `PICKUP_STARTED`, `SEALED`, `IN_TRANSIT`, `DELIVERED`, `CLOSED`, `CANCELLED`."""


class OtherLeaf(TypedDict):
    order_key: str
    value_hash: str


class OutsideExcursions(TypedDict):
    """Excursions before and after the custody. They are no incident."""

    excursion_count: int
    excursion_seconds: float
    excursions: list[dict[str, Any]]
    """The first 20."""


class Ping(TypedDict):
    status: str
    organization: str
    environment: str


class PortalLink(TypedDict):
    id: str
    url: str
    """Give it to one person, who opens it once. The code behind `#` is a secret."""
    opens_until: str
    """The link can be opened until then, at most for an hour."""
    expires_at: str
    """The end of the session."""
    scopes: list[str]
    read_only: bool
    endpoint_id: str | None


class PortalLinkCreate(TypedDict):
    scopes: NotRequired[list[KnownScope] | None]
    """Scopes of the session, at most those of your key; null: all of your key but `keys:rotate`."""
    read_only: NotRequired[bool]
    """true: the session reads only. Default: `false`."""
    endpoint_id: NotRequired[str | None]
    """The session may use this endpoint alone, for which your key needs `webhooks:manage`."""
    expires_in: NotRequired[int]
    """Seconds from now to the end of the session. Default: `3600`."""


class RecoverRequest(TypedDict):
    since: str
    """Start of the time span; events are stored for 30 days."""
    until: NotRequired[str | None]
    """End of the time span; null or absent: now."""
    include_pending: NotRequired[bool]
    """Whether deliveries of the time span that wait for a retry are attempted now, with the same `id`. Default: `false`."""
    order_id: NotRequired[str | None]
    """Only events of this order; null or absent: of all."""


class Recovery(TypedDict):
    queued: int
    """Number of deliveries that this request queued."""
    retried: int
    """Number of pending deliveries that are attempted now."""
    until: str
    """End of the time span that this request processed."""
    next_since: str | None
    """`since` of the next request, if more than 1,000 deliveries are missing or pending; else null."""


class Rehearsal(TypedDict):
    speed: int
    """The retry waits are divided by it; 1 without a rehearsal."""
    faults: list[RehearsalFault]
    ends_at: str | None
    """When the rehearsal ends; null: there is none now."""


RehearsalFault = str
"""A fault on the way to the receiver. Values may be added: accept unknown ones. Known values: `duplicate`, `late`, `reorder`."""


class RehearsalRequest(TypedDict):
    speed: NotRequired[int | None]
    """The retry waits are divided by it: at 60, the 24 hours of the schedule take 24 minutes. Absent: 1."""
    faults: NotRequired[list[KnownRehearsalFault] | None]
    """`duplicate`: each delivery arrives twice, as after a lost response. `late`: a delivery arrives 30 s, divided by the speed, after its event. `reorder`: of two deliveries in succession the later one arrives first."""
    duration: NotRequired[str]
    """When the rehearsal ends, counted from now, such as `30m`; at most `24h`. Default: `'1h'`."""


class RequestError(TypedDict):
    field: str
    """Where the error is: the parts of `loc` of a validation error, or `details.field` of another one, with dots between them. A name that is not in this document is `*`. Empty: the request."""
    type: str
    """The `type` of a validation error, such as `missing`; else the code of the error."""


class RequestList(TypedDict):
    data: list[LoggedRequest]
    next_cursor: str | None
    """Pass as `cursor` to get the next page; null on the last page."""


RequestMethod = str
"""Method of the request. Values may be added: accept unknown ones. Known values: `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE`, `OPTIONS`, `other`."""


RequiredEvidence = TypedDict("RequiredEvidence", {
    "pickup": "NotRequired[list[KnownHandoverMethod]]",
    "dropoff": "NotRequired[list[KnownHandoverMethod]]",
    "return": "NotRequired[list[KnownHandoverMethod]]",
})


class RotatedKey(TypedDict):
    id: str
    """The `id` of the new key."""
    key: str
    """The new key. No other response contains it."""
    previous_expires_at: str
    """The end of the previous key."""


class RotatedSecret(TypedDict):
    id: str
    secret: str
    """The new signing secret. No other response contains it: store it."""
    previous_expires_at: str
    """Until then deliveries are signed with the previous secret, too."""


class SandboxAdvance(TypedDict):
    to: NotRequired[SandboxTarget | None]
    """Move the order step by step to this status. Absent, and without `script`: one step."""
    script: NotRequired[list[SandboxStep] | None]
    """1 to 50 steps with delays, which replace the order's run."""


SandboxPlan = str
"""The run's scenario. Values may be added: accept unknown ones. Known values: `auto`, `decline`, `driver_dropped`, `incident`, `escalation`, `late_seal`, `tampered_proof`, `offline_gap`, `handover_code`, `revoked_device`, `script`."""


class SandboxRun(TypedDict):
    plan: SandboxPlan
    state: SandboxRunState
    taken: int
    """Steps that were taken."""
    count: int
    """All steps of the run."""
    next_at: str | None
    """When the next step is due; null if the run is over."""
    reason: str | None
    """Why the run ended before its last step; else null."""


SandboxRunState = str
"""State of the run. Values may be added: accept unknown ones. Known values: `running`, `done`, `ended`."""


SandboxScenario = Literal["auto", "decline", "driver_dropped", "incident", "escalation", "late_seal", "tampered_proof", "offline_gap", "handover_code", "revoked_device"]


class SandboxStep(TypedDict):
    to: NotRequired[SandboxTarget | None]
    """Move the order step by step to this status. Nothing happens if the order has reached it."""
    incident: NotRequired[str | None]
    """Report an incident with this note."""
    escalation: NotRequired[str | None]
    """Escalate the order with this note."""
    decline: NotRequired[bool]
    """The transport organization declines: ASSIGNED becomes SUBMITTED. Default: `false`."""
    release_driver: NotRequired[bool]
    """The driver drops out: DRIVER_ASSIGNED becomes ACCEPTED. Default: `false`."""
    after: NotRequired[str]
    """Time after the step before, such as `30s`; at most `24h`. Default: `'0s'`."""


class SandboxSteps(TypedDict):
    status: OrderStatus
    next: OrderStatus | None
    """The status after one step; null if no step leads on."""
    actions: list[str]
    """The steps of a script that are possible in this status."""
    run: SandboxRun | None
    """The newest run of the order; null if it had none."""


SandboxTarget = Literal["DRAFT", "SUBMITTED", "ASSIGNED", "ACCEPTED", "DRIVER_ASSIGNED", "PICKUP_STARTED", "SEALED", "IN_TRANSIT", "DELIVERED", "CLOSED"]


class SecretRotation(TypedDict):
    overlap: NotRequired[int]
    """Seconds during which deliveries are signed with the previous secret, too. Default: `86400`."""


Sla = str
"""Service level of an order. Values may be added: accept unknown ones. Known values: `STANDARD`, `EXPRESS`, `CRITICAL`."""


class TestRequest(TypedDict):
    event_type: NotRequired[KnownEventName | None]
    """The event whose example is sent; null or absent: `order.test`. The filter of the endpoint does not matter."""


class TestResult(TypedDict):
    id: str
    delivered: bool
    status_code: int | None
    error: str | None
    """Why there was no response: `unreachable`, `tls`, `timeout`, `connection_lost`, `protocol` or `not_sent`, as in a handshake."""
    event: EventName
    duration_ms: float
    response_body: str | None
    """The first 1 KiB of the body of the response as text; null if it has none, or if no handshake with the URL has passed."""


class ValidationError(TypedDict):
    detail: list[ValidationErrorEntry]


class ValidationErrorEntry(TypedDict):
    loc: list[str | int]
    """Path of the value: `body`, `query`, `path` or `header` first."""
    msg: str
    """Explanation for people."""
    type: str
    """Kind of the error, in the vocabulary of pydantic."""
    input: NotRequired[Any]
    """The value that was rejected."""
    ctx: NotRequired[dict[str, Any]]
    """Values of the rule that was violated."""


class VerifyResult(TypedDict):
    id: str
    status: WebhookEndpointStatus
    verified: bool
    handshake: HandshakeResult | None
    """The handshake that this request caused; null if it caused none."""


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    status: WebhookEndpointStatus
    disabled: bool
    event_filter: list[EventName] | None
    """Events that are delivered; null: all events."""
    consecutive_failures: int
    last_success_at: str | None
    last_failure_at: str | None
    health: WebhookEndpointHealth
    created_at: str


class WebhookEndpointCreate(TypedDict):
    url: str
    event_filter: NotRequired[list[KnownEventName] | None]


class WebhookEndpointCreated(TypedDict):
    id: str
    url: str
    status: WebhookEndpointStatus
    disabled: bool
    event_filter: list[EventName] | None
    """Events that are delivered; null: all events."""
    consecutive_failures: int
    last_success_at: str | None
    last_failure_at: str | None
    health: WebhookEndpointHealth
    created_at: str
    secret: str
    """The signing secret. No other response contains it: store it."""
    handshake: HandshakeResult | None
    """The handshake that this request caused; null if it caused none."""


class WebhookEndpointDay(TypedDict):
    day: str
    delivered: int
    failed: int
    """Deliveries that are EXHAUSTED."""
    pending: int
    """Deliveries that wait for an attempt."""
    p95_ms: int | None
    """95th percentile of the durations of attempts that got a response or timed out, of the last 500 deliveries of the day; null if there is none."""


class WebhookEndpointHealth(TypedDict):
    """How close the endpoint is to BROKEN."""

    failure_ratio: float
    """Consecutive failures divided by the threshold, 0 to 1."""
    breaks_at: str | None
    """When the endpoint becomes BROKEN if no attempt succeeds. Null until 100 attempts in a row have failed or a delivery is exhausted."""


class WebhookEndpointMetrics(TypedDict):
    days: list[WebhookEndpointDay]
    """The last 7 days in UTC, today last, by the time at which deliveries were queued. Each number is at most 100,000."""


WebhookEndpointStatus = str
"""Status of a webhook endpoint. Values may be added: accept unknown ones. Known values: `PENDING_VERIFICATION`, `ENABLED`, `BROKEN`."""


class WebhookEndpointUpdate(TypedDict):
    url: NotRequired[str | None]
    event_filter: NotRequired[list[KnownEventName] | None]
    disabled: NotRequired[bool | None]


class WebhookEndpointUpdated(TypedDict):
    id: str
    url: str
    status: WebhookEndpointStatus
    disabled: bool
    event_filter: list[EventName] | None
    """Events that are delivered; null: all events."""
    consecutive_failures: int
    last_success_at: str | None
    last_failure_at: str | None
    health: WebhookEndpointHealth
    created_at: str
    handshake: HandshakeResult | None
    """The handshake that this request caused; null if it caused none."""


class WebhookEvent(TypedDict):
    event: EventName
    occurred_at: str
    """Time of the event; equals `ts_utc` of the custody entry."""
    data: WebhookEventData
    links: WebhookEventLinks
    sequence: NotRequired[int]
    """Number of the event in the endpoint's stream, from 1 without gaps. A gap means that events are missing: they may still arrive, or use `recover`."""


class WebhookEventCustody(TypedDict):
    sequence: int
    """Position of the entry in the order's custody chain."""
    head_hash: str
    """The `event_hash` of that entry."""


class WebhookEventData(TypedDict):
    order: WebhookEventOrder
    custody: NotRequired[WebhookEventCustody]
    test: NotRequired[bool]
    """`true` in test requests, whose order does not exist; absent in all other events."""


class WebhookEventLinks(TypedDict):
    order: str
    """URL of the order in this API."""


class WebhookEventOrder(TypedDict):
    id: str
    external_id: str | None
    status: WebhookOrderStatus
    updated_at: str
    """Time of the last change of the order."""
    sequence: int
    """Number of the event among its order's events. Together with `id` it identifies the event: process each pair once. A delayed event is still valid, so never drop an event because its number is lower than one that you have. Only the newest status is that of the highest number."""


WebhookOrderStatus = str
"""Status of the order after the event, in lower case. Values may be added: accept unknown ones. Known values: `draft`, `submitted`, `assigned`, `accepted`, `driver_assigned`, `pickup_started`, `sealed`, `in_transit`, `delivered`, `closed`, `cancelled`."""
