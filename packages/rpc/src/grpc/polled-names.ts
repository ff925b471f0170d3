/**
 * Names of replicas that are resolved again every 2 s, for the life of a channel.
 *
 * grpc-js resolves a name again only when a connection ends. A call that crosses the end of a
 * connection is lost: the client cannot know whether it had an effect. So a client must leave a
 * replica while the replica still serves. A replica that stops leaves the name first, and serves for
 * `drainSeconds` of the charts. A new replica is found as soon.
 */
import { experimental } from '@grpc/grpc-js';

const scheme = 'dns-polled';
export const pollMs = 2000;

type Args = ConstructorParameters<Parameters<typeof experimental.registerResolver>[1]>;
type Endpoints = Parameters<Args[1]>[0];

/** Returns the address under which grpc-js polls a `dns:` name; other addresses as they are. */
export const polled = (address: string): string => address.replace(/^dns:/, `${scheme}:`);

class PolledNames implements experimental.Resolver {
  static getDefaultAuthority({ path }: Args[0]): string {
    return path;
  }

  readonly #resolver: experimental.Resolver;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the channel waits for a result. */
  #isRequested = false;
  #last = '';

  constructor(target: Args[0], listener: Args[1], options: Args[2]) {
    const changed: Args[1] = (endpoints, ...more) => {
      const found = textOf(endpoints);
      // a result that changes nothing would build the list of connections again
      if (!this.#isRequested && (found === undefined || found === this.#last)) return true;
      this.#isRequested = false;
      this.#last = found ?? this.#last;
      return listener(endpoints, ...more);
    };
    this.#resolver = experimental.createResolver({ ...target, scheme: 'dns' }, changed, options);
  }

  updateResolution(): void {
    this.#isRequested = true;
    this.#timer ??= setInterval(() => this.#resolver.updateResolution(), pollMs).unref();
    this.#resolver.updateResolution();
  }

  destroy(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#resolver.destroy();
  }
}

/** Returns the addresses in one order; undefined if the name was not resolved. */
const textOf = (endpoints: Endpoints): string | undefined =>
  endpoints.ok ? endpoints.value.map(experimental.endpointToString).sort().join() : undefined;

experimental.registerResolver(scheme, PolledNames);
