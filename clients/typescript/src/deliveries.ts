import type { Http } from './http/http.ts';
import { path } from './http/operation.ts';
import type { CallOptions } from './options.ts';
import { Pages } from './pages.ts';
import type { Delivery, DeliveryList, DeliveryQuery } from './types.ts';

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
    const list = { method: 'GET', path: path`/webhooks/${endpointId}/deliveries` } as const;
    return new Pages((cursor) =>
      this.#http.json({ ...list, query: { ...query, cursor }, repeatable: true }, options),
    );
  }

  get(endpointId: string, id: string, options?: CallOptions): Promise<Delivery> {
    const get = { method: 'GET', path: path`/webhooks/${endpointId}/deliveries/${id}` } as const;
    return this.#http.json({ ...get, repeatable: true }, options);
  }

  /** Queues a delivery again. Returns the new delivery, which has a new id. */
  replay(endpointId: string, id: string, options?: CallOptions): Promise<Delivery> {
    const replay = path`/webhooks/${endpointId}/deliveries/${id}/replay`;
    return this.#http.json({ method: 'POST', path: replay, repeatable: false }, options);
  }
}
