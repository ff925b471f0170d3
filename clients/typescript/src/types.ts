/** Types of requests and responses, with the names of the OpenAPI document. */
import type { components, operations } from './generated/schema.ts';

type Schemas = components['schemas'];

export type Order = Schemas['Order'];
export type OrderCreate = Schemas['OrderCreate'];
export type OrderCancel = Schemas['OrderCancel'];
export type OrderItem = Schemas['OrderItem'];
export type OrderList = Schemas['OrderList'];
export type Condition = Schemas['Condition'];
export type ConditionCreate = Schemas['ConditionCreate'];
export type Endpoint = Schemas['Endpoint'];
export type Address = Schemas['Address'];
export type Location = Schemas['Location'];
export type LocationCreate = Schemas['LocationCreate'];
export type CustodyEntry = Schemas['CustodyEntry'];
export type OrderCustody = Schemas['OrderCustody'];
export type EventPage = Schemas['EventPage'];
export type FeedEvent = Schemas['FeedEvent'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpointCreate = Schemas['WebhookEndpointCreate'];
export type WebhookEndpointCreated = Schemas['WebhookEndpointCreated'];
export type WebhookEndpointUpdate = Schemas['WebhookEndpointUpdate'];
export type WebhookEndpointUpdated = Schemas['WebhookEndpointUpdated'];
export type VerifyResult = Schemas['VerifyResult'];
export type TestResult = Schemas['TestResult'];
export type SecretRotation = Schemas['SecretRotation'];
export type RotatedSecret = Schemas['RotatedSecret'];
export type RecoverRequest = Schemas['RecoverRequest'];
export type Recovery = Schemas['Recovery'];
export type Delivery = Schemas['Delivery'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
export type DeliveryList = Schemas['DeliveryList'];
export type OrderDeliveries = Schemas['OrderDeliveries'];
export type PortalLink = Schemas['PortalLink'];
export type PortalLinkCreate = Schemas['PortalLinkCreate'];
export type LoggedRequest = Schemas['LoggedRequest'];
export type RequestList = Schemas['RequestList'];
export type SandboxScenario = Schemas['SandboxScenario'];
export type SandboxStep = Schemas['SandboxStep'];
export type SandboxSteps = Schemas['SandboxSteps'];
export type SandboxTarget = Schemas['SandboxTarget'];
export type Ping = Schemas['Ping'];
export type ValidationErrorEntry = Schemas['ValidationErrorEntry'];
/** The known values of response members; a response may have further values (decision 63). */
export type KnownOrderStatus = Schemas['KnownOrderStatus'];
export type KnownSla = Schemas['KnownSla'];
export type KnownEventName = Schemas['KnownEventName'];
export type KnownDeliveryState = Schemas['KnownDeliveryState'];
export type KnownRequestMethod = Schemas['KnownRequestMethod'];

type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

/** Filters of a list; `limit` is the maximum of items per page, 1 to 100. */
export type OrderQuery = Omit<Query<'listOrders'>, 'cursor'>;
export type ChangeQuery = Omit<OrderQuery, 'updated_since'>;
/** `wait` is the maximum time in seconds that the request waits for an event, 0 to 25. */
export type EventQuery = Query<'listEvents'>;
export type DeliveryQuery = Omit<Query<'listDeliveries'>, 'cursor'>;
export type RequestQuery = Omit<Query<'listRequests'>, 'cursor'>;
