/** What a driver records, step by step: the request of each command, and the payload that is signed. */
import { type OrderCommand, orderCommands } from '@pto/proto/order-commands';
import type { handoverStages } from '@pto/proto/vocabulary';

/** A picture that goes with a record. */
export interface Picture {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: 'image/jpeg' | 'image/png';
}

export interface HandoverParty {
  readonly party: string;
  readonly role: string;
  readonly person?: string;
}

/** A step as the driver enters it. */
export type Step =
  | { readonly name: 'arrive'; readonly stop: 'pickup' | 'dropoff' }
  | { readonly name: 'startPickup' | 'startTransport' | 'deliver' | 'close' }
  | { readonly name: 'seal'; readonly sealIds: readonly string[] }
  | {
      readonly name: 'handover';
      readonly stage: (typeof handoverStages)[number];
      readonly from: HandoverParty;
      readonly to: HandoverParty;
      readonly methods: readonly string[];
      readonly scannedSealIds: readonly string[] | null;
      readonly picture: Picture | null;
    }
  | {
      readonly name: 'incident';
      readonly note: string;
      readonly kind: string;
      readonly severity: string;
    };
export type StepName = Step['name'];

/** What a command sends, and the payload of its entry before commitments. */
export interface Prepared {
  readonly rpc: string;
  readonly internalType: string;
  /** The request's fields beside its metadata. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Prepares a step. The payload has the form in which orders makes it (`recordedPayload`). */
export const prepare = async (step: Step): Promise<Prepared> => {
  if (step.name === 'handover') return prepareHandover(step);
  const { event, call }: OrderCommand = orderCommands[step.name];
  const base = { rpc: call!.rpc, internalType: event.entry };
  switch (step.name) {
    case 'arrive':
      return { ...base, fields: { stop: step.stop }, payload: { stop: step.stop } };
    case 'seal':
      return { ...base, fields: { sealIds: step.sealIds }, payload: { seal_ids: step.sealIds } };
    case 'incident': {
      const { note, kind, severity } = step;
      return { ...base, fields: { note, kind, severity }, payload: { note, kind, severity } };
    }
    default:
      return { ...base, fields: {}, payload: {} };
  }
};

const prepareHandover = async (step: Extract<Step, { name: 'handover' }>): Promise<Prepared> => {
  const { stage, from, to, methods, scannedSealIds, picture } = step;
  return {
    rpc: 'recordHandover',
    internalType: orderCommands.handover.event.entry,
    fields: {
      ...{ stage, from, to, methods },
      scannedSealIds: scannedSealIds ?? [],
      ...(picture && { artifact: picture }),
    },
    payload: {
      v: 'handover/1',
      stage,
      from: { party: from.party, role: from.role },
      to: { party: to.party, role: to.role },
      ...(from.person !== undefined && { from_person: from.person }),
      ...(to.person !== undefined && { to_person: to.person }),
      methods,
      scanned_seal_ids: scannedSealIds,
      artifact: picture && (await referenceTo(picture)),
    },
  };
};

const referenceTo = async ({ content, mediaType }: Picture) => ({
  sha256: hex(await crypto.subtle.digest('SHA-256', content)),
  media_type: mediaType,
  size: content.length,
});

/** Returns lower-case hexadecimal digits. */
export const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
