import type { Schemas } from '../schemas.ts';
import type { EndpointFields } from './form.tsx';

/** Of an endpoint, as partners see it, operators also see the organization. */
export type ShownEndpoint = Schemas['WebhookEndpoint'] & { readonly organization_id?: string };

type Span = Required<Pick<Schemas['RecoverRequest'], 'since' | 'until' | 'include_pending'>>;

/**
 * Reads what the page of an endpoint shows, and sends its commands: by RPCs for operators, to the
 * gateway for partners.
 */
export interface EndpointSource {
  readonly brand: string;
  /** Whether and when the page reads again; absent: it does not. */
  readonly live?: { readonly live: boolean; readonly everyMs: () => number };
  readonly endpoint: (id: string) => Promise<ShownEndpoint>;
  readonly deliveries: (
    id: string,
    filter: { readonly state: string; readonly event: string; readonly cursor: string },
  ) => Promise<Schemas['DeliveryList']>;
  /** What was sent; absent: the audience may not read it. */
  readonly body?: (deliveryId: string) => Promise<string>;
  readonly test: (
    id: string,
    commandId: string,
  ) => Promise<Pick<Schemas['TestResult'], 'delivered' | 'status_code' | 'error'>>;
  /** Sends the example of an event as a test; absent: the audience does not choose one. */
  readonly sendExample?: (id: string, event: string) => Promise<Schemas['TestResult']>;
  /** Changes URL and filter; absent: the audience does not, nor deletes. */
  readonly change?: (
    id: string,
    fields: EndpointFields,
  ) => Promise<Pick<Schemas['WebhookEndpointUpdated'], 'handshake'>>;
  readonly remove?: (id: string) => Promise<unknown>;
  readonly metrics: (id: string) => Promise<Schemas['WebhookEndpointMetrics']>;
  readonly verify: (id: string) => Promise<Pick<Schemas['VerifyResult'], 'verified' | 'handshake'>>;
  readonly setDisabled: (id: string, disabled: boolean) => Promise<unknown>;
  readonly rotate: (
    id: string,
    overlap: number,
  ) => Promise<Pick<Schemas['RotatedSecret'], 'secret' | 'previous_expires_at'>>;
  /** What the person does with a new secret. */
  readonly secretText: string;
  readonly recover: (id: string, span: Span) => Promise<Schemas['Recovery']>;
  readonly replay: (delivery: Schemas['Delivery'], commandId: string) => Promise<unknown>;
  /** Whether a repetition of a replay has no second effect. */
  readonly isReplayedOnce: boolean;
}

/** What the person may do. The services decide; this hides what would be rejected. */
export interface EndpointRights {
  readonly check: boolean;
  readonly disable: boolean;
  readonly recover: boolean;
  readonly rotate: boolean;
  /** Absent: false. */
  readonly change?: boolean;
  readonly remove?: boolean;
}

/** What the parts of the page share. */
export interface EndpointParts {
  readonly source: EndpointSource;
  readonly may: EndpointRights;
  readonly endpoint: ShownEndpoint;
}
