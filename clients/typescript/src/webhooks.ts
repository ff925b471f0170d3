import type { Http } from './http/http.ts';
import { type Operation, path } from './http/operation.ts';
import type { CallOptions, CreateOptions } from './options.ts';
import { Pages } from './pages.ts';
import type {
  Delivery,
  DeliveryList,
  DeliveryQuery,
  OrderDeliveries,
  RecoverRequest,
  Recovery,
  RotatedSecret,
  SecretRotation,
  TestResult,
  VerifyResult,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  WebhookEndpointUpdate,
  WebhookEndpointUpdated,
} from './types.ts';

export class Webhooks {
  readonly #http: Http;
  readonly deliveries: Deliveries;

  constructor(http: Http) {
    this.#http = http;
    this.deliveries = new Deliveries(http);
  }

  list(options?: CallOptions): Promise<WebhookEndpoint[]> {
    return this.#http.read('/webhooks', options);
  }

  /**
   * Registers an endpoint. Store the returned `secret`: no other response contains it. The
   * idempotency key prevents a second endpoint if the request is repeated.
   */
  create(
    endpoint: WebhookEndpointCreate,
    options?: CreateOptions,
  ): Promise<WebhookEndpointCreated> {
    return this.#http.create('/webhooks', endpoint, options);
  }

  get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#http.read(path`/webhooks/${id}`, options);
  }

  update(
    id: string,
    change: WebhookEndpointUpdate,
    options?: CallOptions,
  ): Promise<WebhookEndpointUpdated> {
    return this.#write({ method: 'PATCH', path: path`/webhooks/${id}`, body: change }, options);
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#write({ method: 'DELETE', path: path`/webhooks/${id}` }, options);
  }

  /** Repeats the handshake of an endpoint. */
  verify(id: string, options?: CallOptions): Promise<VerifyResult> {
    return this.#write({ method: 'POST', path: path`/webhooks/${id}/verify` }, options);
  }

  /** Sends a signed sample event, `order.test`, to an endpoint. */
  test(id: string, options?: CallOptions): Promise<TestResult> {
    return this.#write({ method: 'POST', path: path`/webhooks/${id}/test` }, options);
  }

  /** Returns a new secret. The old one also signs deliveries for `overlap` seconds. */
  rotateSecret(
    id: string,
    rotation: SecretRotation = {},
    options?: CallOptions,
  ): Promise<RotatedSecret> {
    const rotate = { method: 'POST', path: path`/webhooks/${id}/secret/rotate` } as const;
    return this.#write({ ...rotate, body: rotation }, options);
  }

  /**
   * Queues at most 1,000 undelivered events of a time span; the next call begins at `next_since`.
   * `include_pending` also attempts now what waits for a retry, under the same id.
   */
  recover(id: string, span: RecoverRequest, options?: CallOptions): Promise<Recovery> {
    const recover = { method: 'POST', path: path`/webhooks/${id}/recover`, body: span } as const;
    // a repetition would use up another attempt of the pending deliveries
    return this.#http.json({ ...recover, repeatable: !span.include_pending }, options);
  }

  /** Sends a write that is not repeated after an unknown result: it could take effect twice. */
  #write<T>(operation: Omit<Operation, 'repeatable'>, options?: CallOptions): Promise<T> {
    return this.#http.json({ ...operation, repeatable: false }, options);
  }
}

export class Deliveries {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Lists the deliveries of an endpoint that match the query, newest first. */
  list(
    endpointId: string,
    query: DeliveryQuery = {},
    options?: CallOptions,
  ): Pages<Delivery, DeliveryList> {
    const list = path`/webhooks/${endpointId}/deliveries`;
    return new Pages((cursor) => this.#http.page(list, options, { ...query, cursor }));
  }

  /** Lists the deliveries of an order to all endpoints, the deleted ones included, oldest first. */
  ofOrder(orderId: string, options?: CallOptions): Promise<OrderDeliveries> {
    return this.#http.read(path`/orders/${orderId}/deliveries`, options);
  }

  get(endpointId: string, id: string, options?: CallOptions): Promise<Delivery> {
    return this.#http.read(path`/webhooks/${endpointId}/deliveries/${id}`, options);
  }

  /** Queues a delivery again. Returns the new delivery, which has a new id. */
  replay(endpointId: string, id: string, options?: CallOptions): Promise<Delivery> {
    const replay = path`/webhooks/${endpointId}/deliveries/${id}/replay`;
    return this.#http.json({ method: 'POST', path: replay, repeatable: false }, options);
  }
}
