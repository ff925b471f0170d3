import type { Http } from './http/http.ts';
import { path, timeText } from './http/operation.ts';
import type { CallOptions, CreateOptions, OrderCreateOptions } from './options.ts';
import { Changes, Pages } from './pages.ts';
import type {
  ChangeQuery,
  Condition,
  ConditionCreate,
  CustodyEntry,
  Order,
  OrderCancel,
  OrderCreate,
  OrderCustody,
  OrderList,
  OrderQuery,
} from './types.ts';

export class Orders {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Creates an order. The idempotency key prevents a second order if the request is repeated. */
  create(order: OrderCreate, options: OrderCreateOptions = {}): Promise<Order> {
    const { sandboxCourier, sandboxStep, ...rest } = options;
    const headers = { 'x-sandbox-courier': sandboxCourier, 'x-sandbox-step': sandboxStep };
    return this.#http.create('/orders', order, rest, headers);
  }

  get(id: string, options?: CallOptions): Promise<Order> {
    return this.#http.read(path`/orders/${id}`, options);
  }

  /** Lists the orders that match the query, newest first. */
  list(query: OrderQuery = {}, options?: CallOptions): Pages<Order, OrderList> {
    return new Pages((cursor) => this.#http.page('/orders', options, { ...query, cursor }));
  }

  /**
   * Lists the orders that changed at or after this time. Poll again with its `nextUpdatedSince`.
   */
  changes(updatedSince: string | Date, query: ChangeQuery = {}, options?: CallOptions): Changes {
    const since = timeText(updatedSince);
    return new Changes(since, this.list({ ...query, updated_since: since }, options));
  }

  /** Cancels an order. A repetition with the same reason returns the unchanged order. */
  cancel(id: string, { reason }: OrderCancel, options?: CallOptions): Promise<Order> {
    const cancel = { method: 'POST', path: path`/orders/${id}/cancel`, body: { reason } } as const;
    return this.#http.json({ ...cancel, repeatable: true }, options);
  }

  /** Submits a draft. */
  submit(id: string, options?: CallOptions): Promise<Order> {
    const submit = path`/orders/${id}/submit`;
    return this.#http.json({ method: 'POST', path: submit, repeatable: false }, options);
  }

  /** Records temperature readings of an order, once for the idempotency key. */
  recordCondition(
    id: string,
    condition: ConditionCreate,
    options?: CreateOptions,
  ): Promise<Condition> {
    return this.#http.create(path`/orders/${id}/conditions`, condition, options);
  }

  /** Returns the bytes of a handover's file or of readings, by the SHA-256 in the custody entry. */
  artifact(id: string, sha256: string, options?: CallOptions): Promise<Uint8Array> {
    const artifact = path`/orders/${id}/artifacts/${sha256}`;
    return this.#http.bytes({ method: 'GET', path: artifact, repeatable: true }, options);
  }

  /** Returns the custody history of an order, oldest entry first. */
  events(id: string, options?: CallOptions): Promise<CustodyEntry[]> {
    return this.#http.read(path`/orders/${id}/events`, options);
  }

  /** Returns the state of an order's custody chain, and the checkpoint that covers it. */
  custody(id: string, options?: CallOptions): Promise<OrderCustody> {
    return this.#http.read(path`/orders/${id}/custody`, options);
  }

  /** Returns the certificate of an order's custody as PDF. */
  certificate(id: string, language: 'en' | 'de', options?: CallOptions): Promise<Uint8Array> {
    const certificate = path`/orders/${id}/custody/certificate`;
    const query = { lang: language };
    return this.#http.bytes({ method: 'GET', path: certificate, query, repeatable: true }, options);
  }

  /** Returns an order's custody history as an EPCIS 2.0 document, JSON-LD as text. */
  epcis(id: string, options?: CallOptions): Promise<string> {
    const epcis = path`/orders/${id}/custody/epcis`;
    return this.#http.text({ method: 'GET', path: epcis, repeatable: true }, options);
  }

  /** Returns an order and its custody history as a FHIR R4 bundle, JSON as text. */
  fhir(id: string, options?: CallOptions): Promise<string> {
    const fhir = path`/orders/${id}/custody/fhir`;
    return this.#http.text({ method: 'GET', path: fhir, repeatable: true }, options);
  }

  /** Returns an order's proof file as text. Store it unchanged; `verifyProof` verifies it. */
  custodyProof(id: string, options?: CallOptions): Promise<string> {
    const proof = path`/orders/${id}/custody/proof`;
    return this.#http.text({ method: 'GET', path: proof, repeatable: true }, options);
  }
}
