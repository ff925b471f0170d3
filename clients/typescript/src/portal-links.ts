import type { Http } from './http/http.ts';
import type { CallOptions } from './options.ts';
import type { PortalLink, PortalLinkCreate } from './types.ts';

/** Links that open the portal in a browser, for the people of your organization. */
export class PortalLinks {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Creates a link for one person, who opens it once. Its session has at most the scopes of your key.
   */
  create(rights: PortalLinkCreate = {}, options?: CallOptions): Promise<PortalLink> {
    const operation = {
      method: 'POST',
      path: '/portal-links',
      body: rights,
      repeatable: false,
    } as const;
    return this.#http.json(operation, options);
  }

  /** Ends all links of your key and their sessions, within 5 s. */
  endAll(options?: CallOptions): Promise<void> {
    return this.#http.json({ method: 'DELETE', path: '/portal-links', repeatable: true }, options);
  }
}
