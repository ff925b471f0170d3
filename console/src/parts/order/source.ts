import type { Schemas } from '../schemas.ts';

type EveryMs = number | (() => number);

/** An order as partners see it, with the response that also has what only operators see. */
export interface ShownOrder<Own = unknown> {
  readonly order: Schemas['Order'] & {
    readonly transport_organization?: string | undefined;
    readonly driver?: string | undefined;
  };
  /** Number of the order's events; undefined: unknown. */
  readonly events?: number;
  readonly own: Own;
}

/** An entry as partners see it, with the name of the operator whose command made it. */
export type ShownEntry = Schemas['CustodyEntry'] & { readonly operator?: string | undefined };

/** Reads what the page of an order shows: by RPCs for operators, from the gateway for partners. */
export interface OrderSource<Own, Chain> {
  readonly brand: string;
  /** Times between two reads; absent: the console's. */
  readonly everyMs?: Readonly<Record<'order' | 'chain' | 'deliveries', EveryMs>>;
  readonly order: (id: string) => Promise<Own>;
  readonly shown: (order: Own) => ShownOrder<Own>;
  readonly chain: (id: string) => Promise<Chain>;
  readonly entriesOf: (chain: Chain, own: Own) => readonly ShownEntry[];
  readonly file: (id: string, sha256: string) => Promise<Blob | Uint8Array<ArrayBuffer>>;
  readonly deliveries: (shown: ShownOrder<Own>) => Promise<Schemas['OrderDeliveries']>;
  /** Sends the order's events to an endpoint that it has not received. */
  readonly sendAgain: (
    shown: ShownOrder<Own>,
    endpointId: string,
  ) => Promise<Pick<Schemas['Recovery'], 'queued' | 'retried'>>;
}

/** Returns a time before an order's events, whatever the clocks of two databases. */
export const beforeEvents = ({ created_at }: Schemas['Order']): string =>
  new Date(Date.parse(created_at) - 60_000).toISOString();

/** Returns when an order was changed last. */
export const changedAt = ({ updated_at, created_at }: Schemas['Order']): string =>
  updated_at ?? created_at;
