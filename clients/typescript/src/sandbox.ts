import type { Http } from './http/http.ts';
import { path } from './http/operation.ts';
import type { CallOptions } from './options.ts';
import type { Order, SandboxStep, SandboxSteps, SandboxTarget } from './types.ts';

/** Moves orders in the sandbox (decisions 64 and 67). In production each call is a `NotFoundError`. */
export class Sandbox {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Moves an order to a status through those before it, or by one step without `to`. A call with
   * `to` is repeated like a read: a status that the order has reached changes nothing.
   */
  advance(id: string, { to }: { to?: SandboxTarget } = {}, options?: CallOptions): Promise<Order> {
    return this.#advance(id, { to }, to !== undefined, options);
  }

  /** Starts a run of 1 to 50 steps with delays, which replaces the order's run. */
  runScript(id: string, script: readonly SandboxStep[], options?: CallOptions): Promise<Order> {
    return this.#advance(id, { script }, false, options);
  }

  /** Returns the steps that are possible now, and the state of the order's run. */
  steps(id: string, options?: CallOptions): Promise<SandboxSteps> {
    return this.#http.read(path`/sandbox/orders/${id}/steps`, options);
  }

  #advance(
    id: string,
    body: object,
    repeatable: boolean,
    options: CallOptions | undefined,
  ): Promise<Order> {
    const advance = path`/sandbox/orders/${id}/advance`;
    return this.#http.json({ method: 'POST', path: advance, body, repeatable }, options);
  }
}
