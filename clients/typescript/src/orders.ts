import { Changes } from './changes.ts';
import type { Http } from './http/http.ts';
import { path } from './http/operation.ts';
import type { CallOptions } from './options.ts';
import { Pages } from './pages.ts';
import type {
  ChangeQuery,
  CustodyEntry,
  Order,
  OrderCancel,
  OrderCreate,
  OrderCustody,
  OrderList,
  OrderQuery,
} from './types.ts';

export interface CreateOptions extends CallOptions {
  /** The same key for every attempt of this call; a new UUID by default. Kept 24 h by the service. */
  readonly idempotencyKey?: string;
}

export class Orders {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Creates an order, once, however often the request has to be sent. */
  create(order: OrderCreate, options: CreateOptions = {}): Promise<Order> {
    const { idempotencyKey = crypto.randomUUID(), ...rest } = options;
    const operation = { method: 'POST', path: '/orders', body: order, repeatable: true } as const;
    return this.#http.json({ ...operation, idempotencyKey }, rest);
  }

  get(id: string, options?: CallOptions): Promise<Order> {
    return this.#read(path`/orders/${id}`, options);
  }

  /** All orders, newest first. */
  list(query: OrderQuery = {}, options?: CallOptions): Pages<Order, OrderList> {
    return new Pages((cursor) =>
      this.#http.json(
        { method: 'GET', path: '/orders', query: { ...query, cursor }, repeatable: true },
        options,
      ),
    );
  }

  /** The orders that changed at this time or later; `nextUpdatedSince` is the time of the next poll. */
  changes(updatedSince: string | Date, query: ChangeQuery = {}, options?: CallOptions): Changes {
    const since = typeof updatedSince === 'string' ? updatedSince : updatedSince.toISOString();
    return new Changes(since, this.list({ ...query, updated_since: since }, options));
  }

  /** Repeated with the same reason, a cancellation returns the unchanged order. */
  cancel(id: string, { reason }: OrderCancel, options?: CallOptions): Promise<Order> {
    const operation = {
      method: 'POST',
      path: path`/orders/${id}/cancel`,
      body: { reason },
    } as const;
    return this.#http.json({ ...operation, repeatable: true }, options);
  }

  /** Submits a draft. */
  submit(id: string, options?: CallOptions): Promise<Order> {
    const operation = { method: 'POST', path: path`/orders/${id}/submit` } as const;
    return this.#http.json({ ...operation, repeatable: false }, options);
  }

  /** The custody history, oldest entry first. */
  events(id: string, options?: CallOptions): Promise<CustodyEntry[]> {
    return this.#read(path`/orders/${id}/events`, options);
  }

  /** The state of the custody chain, and the checkpoint that covers it. */
  custody(id: string, options?: CallOptions): Promise<OrderCustody> {
    return this.#read(path`/orders/${id}/custody`, options);
  }

  /** The proof file, as text: store it unchanged, and judge it with `verifyProof`. */
  custodyProof(id: string, options?: CallOptions): Promise<string> {
    const operation = { method: 'GET', path: path`/orders/${id}/custody/proof` } as const;
    return this.#http.text({ ...operation, repeatable: true }, options);
  }

  #read<T>(path: string, options: CallOptions | undefined): Promise<T> {
    return this.#http.json({ method: 'GET', path, repeatable: true }, options);
  }
}
