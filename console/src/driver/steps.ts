/** What a driver records, step by step: the request of each command, and the payload that is signed. */
import { type OrderCommand, orderCommands } from '@pto/proto/order-commands';
import type { TemperatureUnit } from '@pto/proto/payloads';
import type { handoverStages } from '@pto/proto/vocabulary';

/** A picture that goes with a record. */
export interface Picture {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: 'image/jpeg' | 'image/png';
}

/** Readings of a logger, or one of a thermometer. */
export interface ReadingsFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly mediaType: 'text/csv' | 'application/x-ndjson';
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
      /** Of the ward's link; null: none was given. */
      readonly code: string | null;
    }
  | {
      readonly name: 'incident';
      readonly note: string;
      readonly kind: string;
      readonly severity: string;
      readonly picture: Picture | null;
    }
  | {
      readonly name: 'condition';
      /** Names the thermometer or logger. */
      readonly device: string;
      readonly unit: TemperatureUnit;
      readonly readings: ReadingsFile;
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
  if (step.name === 'condition') return prepareCondition(step);
  const { event, call }: OrderCommand = orderCommands[step.name];
  const base = { rpc: call!.rpc, internalType: event.entry };
  switch (step.name) {
    case 'arrive':
      return { ...base, fields: { stop: step.stop }, payload: { stop: step.stop } };
    case 'seal':
      return { ...base, fields: { sealIds: step.sealIds }, payload: { seal_ids: step.sealIds } };
    case 'incident': {
      const { note, kind, severity, picture } = step;
      return {
        ...base,
        fields: { note, kind, severity, ...(picture && { artifact: picture }) },
        payload: {
          ...{ note, kind, severity },
          ...(picture && { artifact: await referenceTo(picture) }),
        },
      };
    }
    default:
      return { ...base, fields: {}, payload: {} };
  }
};

const prepareHandover = async (step: Extract<Step, { name: 'handover' }>): Promise<Prepared> => {
  const { stage, from, to, methods, scannedSealIds, picture, code } = step;
  return {
    rpc: 'recordHandover',
    internalType: orderCommands.handover.event.entry,
    fields: {
      ...{ stage, from, to, methods },
      scannedSealIds: scannedSealIds ?? [],
      ...(picture && { artifact: picture }),
      ...(code !== null && { code }),
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

/** Of readings the phone signs the file; their summary follows from it. */
const prepareCondition = async ({
  device,
  unit,
  readings,
}: Extract<Step, { name: 'condition' }>): Promise<Prepared> => ({
  rpc: 'recordCondition',
  internalType: orderCommands.condition.event.entry,
  fields: { readings: { ...readings, deviceId: device, unit } },
  payload: { device_id: device, unit, readings: await referenceTo(readings) },
});

/** Returns a step without what its request alone has: files, and the ward's code. */
export const withoutFiles = (step: Step): Step => {
  if (step.name === 'handover') return { ...step, picture: null, code: null };
  if (step.name === 'incident') return { ...step, picture: null };
  if (step.name !== 'condition') return step;
  return { ...step, readings: { ...step.readings, content: new Uint8Array() } };
};

const referenceTo = async ({ content, mediaType }: Picture | ReadingsFile) => ({
  sha256: hex(await crypto.subtle.digest('SHA-256', content)),
  media_type: mediaType,
  size: content.length,
});

/** Returns lower-case hexadecimal digits. */
export const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
