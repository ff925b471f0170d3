import { type FollowOptions, followEvents, listEvents } from './events.ts';
import { Http } from './http/http.ts';
import type { CallOptions, ClientOptions, CreateOptions } from './options.ts';
import { Orders } from './orders.ts';
import { Pages } from './pages.ts';
import { PortalLinks } from './portal-links.ts';
import { Sandbox } from './sandbox.ts';
import type {
  EventPage,
  EventQuery,
  FeedEvent,
  Location,
  LocationCreate,
  LoggedRequest,
  Ping,
  RequestList,
  RequestQuery,
} from './types.ts';
import { Webhooks } from './webhooks.ts';

/** A client of the Partner Transport Orders API, with one API key. */
export class Client {
  readonly #http: Http;
  readonly orders: Orders;
  readonly locations: Locations;
  readonly webhooks: Webhooks;
  readonly portalLinks: PortalLinks;
  readonly sandbox: Sandbox;

  /**
   * @throws NotSentError for a wrong base URL, API key, user agent, `fetch` or limit.
   */
  constructor(options: ClientOptions) {
    this.#http = new Http(options);
    this.orders = new Orders(this.#http);
    this.locations = new Locations(this.#http);
    this.webhooks = new Webhooks(this.#http);
    this.portalLinks = new PortalLinks(this.#http);
    this.sandbox = new Sandbox(this.#http);
  }

  /** Checks that the key is valid. */
  ping(options?: CallOptions): Promise<Ping> {
    return this.#http.read('/ping', options);
  }

  /**
   * Returns a page of the events of all orders, in the order of the ledger's log. The next page
   * begins at its `next_after`.
   */
  listEvents(query: EventQuery = {}, options?: CallOptions): Promise<EventPage> {
    return listEvents(this.#http, query, options);
  }

  /**
   * Iterates over the events of all orders after `after`, and waits for new ones. No event is
   * missing and none comes twice. Store the `number` of each event after you have processed it, and
   * begin with that number after an error or a restart. The limits of a call are those of `options`.
   */
  followEvents(options?: FollowOptions): AsyncGenerator<FeedEvent, void, undefined> {
    return followEvents(this.#http, options);
  }

  /** Lists the requests of your organization in the last 7 days that match the query, newest first. */
  listRequests(query: RequestQuery = {}, options?: CallOptions): Pages<LoggedRequest, RequestList> {
    return new Pages((cursor) => this.#http.page('/requests', options, { ...query, cursor }));
  }
}

export class Locations {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  list(options?: CallOptions): Promise<Location[]> {
    return this.#http.read('/locations', options);
  }

  /** Creates a location, or returns the one that your organization has at this address (decision 12). */
  create(location: LocationCreate, options?: CreateOptions): Promise<Location> {
    return this.#http.create('/locations', location, options);
  }
}
