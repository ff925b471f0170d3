import type { Http } from './http/http.ts';
import type { CallOptions, CreateOptions } from './options.ts';
import type { Location, LocationCreate } from './types.ts';

export class Locations {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  list(options?: CallOptions): Promise<Location[]> {
    return this.#http.json({ method: 'GET', path: '/locations', repeatable: true }, options);
  }

  /** Creates a location, or returns the one that your organization has at this address (decision 12). */
  create(location: LocationCreate, options?: CreateOptions): Promise<Location> {
    return this.#http.create('/locations', location, options);
  }
}
