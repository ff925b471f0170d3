/** Reads the messages of handovers and conditions into values of the domain. */
import { invalid } from '@pto/errors';
import type { Party as PartyMessage, RecordHandoverRequest } from '@pto/proto/orders/v1/commands';
import type { Readings } from '@pto/proto/orders/v1/orders';
import {
  handoverMethods,
  handoverStages,
  partyRoles,
  readingsTypes,
  temperatureUnits,
} from '@pto/proto/vocabulary';
import type { ReceivedReadings } from '../changes/record-condition.ts';
import type { Handover, Party } from '../domain/order.ts';
import { requireName } from './command-metadata.ts';

const nameMax = 200;
const referenceMax = 128;

/** @throws Failure VALIDATION */
export const readHandover = (request: RecordHandoverRequest): Omit<Handover, 'artifact'> => {
  if (request.methods.includes('device_signature'))
    throw invalid(['methods'], "nobody states device_signature: a driver's device gives it");
  const methods = request.methods.map((method) => requireOneOf(method, 'methods', handoverMethods));
  if (methods.length === 0)
    throw invalid(['methods'], `name at least one of ${handoverMethods.join(', ')}`);
  if (new Set(methods).size < methods.length) throw invalid(['methods'], 'name each method once');
  const scanned = request.scannedSealIds.map((id) => requireName(id, 'scanned_seal_ids', nameMax));
  return {
    stage: readStage(request.stage),
    from: readParty(request.from, 'from'),
    to: readParty(request.to, 'to'),
    methods,
    scannedSealIds: scanned.length === 0 && !methods.includes('scan') ? null : scanned,
  };
};

/** @throws Failure VALIDATION */
export const readStage = (stage: string) => requireOneOf(stage, 'stage', handoverStages);

/** Reads the side of an order. @throws Failure VALIDATION */
export const readSide = (side: string) => requireOneOf(side, 'side', ['pickup', 'dropoff']);

/** Reads the code of a link. @throws Failure VALIDATION, without the code */
export const readCode = (code: string): string => {
  if (!/^\d{4}$/.test(code)) throw invalid(['code'], 'expected the four digits of the link');
  return code;
};

const readParty = (message: PartyMessage | undefined, field: string): Party => ({
  party: requireName(message?.party ?? '', field, nameMax),
  role: requireOneOf(message?.role ?? '', `${field}.role`, partyRoles),
  person:
    message?.person === undefined ? null : requireName(message.person, `${field}.person`, nameMax),
});

/** @throws Failure VALIDATION */
export const readReceived = (
  readings: Readings | undefined,
  recordedBy: ReceivedReadings['recordedBy'],
): ReceivedReadings => {
  if (!readings) throw invalid(['readings'], 'the readings are missing');
  const { content, calibrationReference: reference, calibrationDate } = readings;
  const { count, minimum, maximum, mean } = readings;
  return {
    content,
    mediaType: requireOneOf(readings.mediaType, 'media_type', readingsTypes),
    device: {
      id: requireName(readings.deviceId, 'device_id', referenceMax),
      calibrationReference:
        reference === undefined
          ? null
          : requireName(reference, 'calibration_reference', referenceMax),
      calibrationDate: calibrationDate ?? null,
    },
    unit: requireOneOf(readings.unit, 'unit', temperatureUnits),
    claimed: {
      ...(count !== undefined && { count }),
      ...(minimum !== undefined && { minimum }),
      ...(maximum !== undefined && { maximum }),
      ...(mean !== undefined && { mean }),
    },
    recordedBy,
  };
};

/** Requires one of the values of a vocabulary. @throws Failure VALIDATION */
const requireOneOf = <Value extends string>(
  text: string,
  field: string,
  values: readonly Value[],
): Value => {
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw invalid(field.split('.'), `expected one of ${values.join(', ')}`, text);
  return found;
};
