import { Http } from './http/http.ts';
import { Locations } from './locations.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { Orders } from './orders.ts';
import type { Ping } from './types.ts';
import { Webhooks } from './webhooks.ts';

/** A client of the Partner Transport Orders API, with one API key. */
export class Client {
  readonly #http: Http;
  readonly orders: Orders;
  readonly locations: Locations;
  readonly webhooks: Webhooks;

  /**
   * @throws NotSentError for a wrong base URL, API key or user agent, RangeError for a wrong limit.
   */
  constructor(options: ClientOptions) {
    this.#http = new Http(options);
    this.orders = new Orders(this.#http);
    this.locations = new Locations(this.#http);
    this.webhooks = new Webhooks(this.#http);
  }

  /** Checks that the key is valid. */
  ping(options?: CallOptions): Promise<Ping> {
    return this.#http.json({ method: 'GET', path: '/ping', repeatable: true }, options);
  }
}
