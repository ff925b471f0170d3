import type {
  ArtifactReference,
  DevicePayload,
  EvidenceMethod,
  HandoverMethod,
  HandoverStage,
  KeptPayload,
  PartyRole,
} from '@pto/proto/payloads';
import type { OrderStatus, severities } from '@pto/proto/vocabulary';
import type { Expected, ExpectedReport } from './expected-time.ts';

export type { ArtifactReference, HandoverMethod, HandoverStage, OrderStatus };

/** The part of an order that the state machine reads. */
export interface OrderState {
  readonly status: OrderStatus;
  readonly itemCount: number;
  readonly transportOrganization: string | null;
  readonly driver: string | null;
  readonly cancelReason: string | null;
  readonly sla: string;
  /** Number of the last event; 0 before the first. */
  readonly sequence: number;
  /** Time of the last event, `YYYY-MM-DDTHH:mm:ss.sssZ`; null before the first. */
  readonly lastEventAt: string | null;
  /**
   * The event that rules out a cancellation: the start of custody, or an earlier cancellation
   * (decisions, `blocking_event`).
   */
  readonly blocking: BlockingEvent | null;
  /** The seals of the goods; empty before the order is sealed. */
  readonly sealIds: readonly string[];
  /** The methods that a handover of each stage must have had (decision 71). */
  readonly requiredEvidence: Evidence;
  /** The methods of the handovers of each stage. */
  readonly recordedEvidence: Evidence;
  /** The incidents that are not resolved, oldest first. */
  readonly openIncidents: readonly OpenIncident[];
  readonly codes: HandoverCodes;
  /** What was reported of its expected times; null: nothing. */
  readonly expected: Expected | null;
}

/** The sides whose links show a code. */
export type CodeSide = 'pickup' | 'dropoff';

/**
 * By side: which code it has, counted from 0, and how many wrong ones were given instead. An absent
 * side has its first code.
 */
export type HandoverCodes = {
  readonly [Side in CodeSide]?: { readonly round: number; readonly wrong: number };
};

/** An incident or an escalation that is not resolved, in the form that partners see (decision 88). */
export interface OpenIncident {
  /** The number of its entry. */
  readonly entry: number;
  /** A kind of proto/vocabulary.ts, or `escalation`. */
  readonly kind: string;
  readonly severity: (typeof severities)[number];
}

/** Whether the code that was given is that of a side in a round. */
export type IsCode = (side: CodeSide, round: number) => boolean;

/** Methods of handovers, by stage. */
export type Evidence = { readonly [Stage in HandoverStage]?: readonly EvidenceMethod[] };

/** A party of a handover: an organization, and the person who acted for it. */
export interface Party {
  readonly party: string;
  readonly role: PartyRole;
  readonly person: string | null;
}

/** Who handed the goods to whom, and how that was confirmed (decision 71). */
export interface Handover {
  readonly stage: HandoverStage;
  readonly from: Party;
  readonly to: Party;
  readonly methods: readonly HandoverMethod[];
  /** The scanned seals; null without the method `scan`. */
  readonly scannedSealIds: readonly string[] | null;
  readonly artifact: ArtifactReference | null;
}

/** Differences between an order's seals and the scanned ones. */
export interface SealDifference {
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

export interface BlockingEvent {
  readonly type: 'order.pickup_started' | 'order.cancelled';
  readonly ts_utc: string;
}

/** The changes of a command. An absent member does not change. */
export interface OrderChange {
  readonly status?: OrderStatus;
  readonly transportOrganization?: string | null;
  /** The record whose name it is; null: a name alone. */
  readonly carrierId?: string | null;
  readonly driver?: string | null;
  readonly driverId?: string | null;
  /** The party that received the goods last; null: custody has ended. */
  readonly heldBy?: string | null;
  readonly cancelReason?: string;
  readonly sealIds?: readonly string[];
  readonly priceTotal?: string;
  readonly notes?: string;
  readonly blocking?: BlockingEvent;
  /** Time of the delivery, at which the custody ends (decision 78). */
  readonly deliveredAt?: string;
  readonly requiredEvidence?: Evidence;
  readonly recordedEvidence?: Evidence;
  readonly openIncidents?: readonly OpenIncident[];
  readonly codes?: HandoverCodes;
  readonly expected?: Expected | null;
  /** When an event announces the expected time at the earliest; null: none is due. */
  readonly expectedDueAt?: string | null;
}

/** The event of a command, before it has an id and a number. */
export interface Announcement {
  readonly type: string;
  readonly internalType: string;
  readonly tsUtc: string;
  readonly position: Position | null;
  readonly payload: JsonObject | null;
  /** The record of a device, for the payload; null: an office or a service sent the command. */
  readonly device?: DeviceSource | null;
  /** Of a record that could not be applied, for the payload. */
  readonly kept?: KeptPayload;
}

/** What a driver's device sent beside its command (decision 85). */
export interface DeviceSource {
  readonly record: DevicePayload;
  /** The salts of the payload's personal fields, by field. */
  readonly salts: Readonly<Record<string, string>>;
}

/** A position in WGS 84 degrees. */
export interface Position {
  readonly lat: number;
  readonly lng: number;
}

export type JsonObject = { readonly [member: string]: unknown };

/** Sender, time, position and additional payload of a command (decision 30). */
export interface CommandMetadata {
  /** Time of the command, `YYYY-MM-DDTHH:mm:ss.sssZ`; null: the time of its processing. */
  readonly at: string | null;
  readonly position: Position | null;
  /** Additional members for the custody entry's payload. */
  readonly payload: JsonObject | null;
  /** Name of the operator who sent the command; null: a partner, or a service. No event has it. */
  readonly operator: string | null;
  /** The carrier whose dispatcher sent it, for an order of the carrier alone; null: nobody of one. */
  readonly carrierId: string | null;
  /** Null: no driver's device sent it. */
  readonly device: DeviceSource | null;
}

/** Commands without parameters of their own. */
export interface PlainCommand {
  readonly name:
    | 'submit'
    | 'decline'
    | 'accept'
    | 'releaseDriver'
    | 'startPickup'
    | 'startTransport'
    | 'deliver'
    | 'close';
}

export type Command =
  | PlainCommand
  | { readonly name: 'assign'; readonly transportOrganization: string; readonly carrierId?: string }
  | { readonly name: 'driver'; readonly driver: string; readonly driverId?: string }
  | { readonly name: 'arrive'; readonly stop: 'pickup' | 'dropoff' }
  | { readonly name: 'keep'; readonly payload: JsonObject | null; readonly kept: KeptPayload }
  | {
      readonly name: 'revokeDevice';
      readonly driverId: string;
      readonly key: string;
      readonly from: string;
    }
  | { readonly name: 'seal'; readonly sealIds: readonly string[] }
  | { readonly name: 'cancel'; readonly reason: string }
  | {
      readonly name: 'incident';
      readonly note: string;
      readonly kind?: string;
      readonly severity?: OpenIncident['severity'];
      readonly asks?: string;
      readonly askedBy?: string;
      readonly artifact?: ArtifactReference;
    }
  | { readonly name: 'escalate'; readonly note: string }
  | { readonly name: 'resolve'; readonly incident: number; readonly note: string }
  | {
      readonly name: 'expect';
      /** Whose order it must be; null: an office or a service sent it. */
      readonly driverId: string | null;
      /** Null: an announcement is due. */
      readonly report: ExpectedReport | null;
    }
  | { readonly name: 'update'; readonly priceTotal?: string; readonly notes?: string }
  | {
      readonly name: 'waive';
      readonly stage: string;
      readonly methods: readonly string[];
      readonly note: string;
    }
  | { readonly name: 'handover'; readonly handover: Handover; readonly isCode?: IsCode | undefined }
  | {
      readonly name: 'sealMismatch';
      readonly stage: HandoverStage;
      readonly difference: SealDifference;
    }
  | { readonly name: 'condition'; readonly payload: JsonObject }
  | { readonly name: 'excursion'; readonly payload: JsonObject }
  | { readonly name: 'erase'; readonly erased: ErasedFields };

/** The numbers of the entries in which a personal field was erased, by field. */
export type ErasedFields = Readonly<Record<string, readonly number[]>>;
