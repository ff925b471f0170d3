/** Judges the records of drivers' devices in a chain that `verifyChain` found valid (decision 85). */
import {
  type DeviceRecord,
  deviceKeyId,
  deviceRecordOf,
  isDeviceSignature,
} from '../device-record.ts';
import type { ChainEntry } from '../entry-hash.ts';
import { membersOf } from '../entry-members.ts';
import { Rejection } from '../rejection.ts';
import { Unchecked } from '../web-crypto.ts';
import type { DevicePart, ProofFault } from './history-verdict.ts';

/**
 * Returns the records of devices, or what is wrong with the first one that is malformed or that its
 * device did not sign.
 */
export const judgeDevices = async (
  orderId: string,
  entries: readonly ChainEntry[],
): Promise<readonly DevicePart[] | ProofFault> => {
  const revocations = revocationsIn(entries);
  const parts: DevicePart[] = [];
  for (const [index, entry] of entries.entries()) {
    const fault = (reason: string): ProofFault => ({
      ...{ at: 'device', index, entryId: entry.id, reason },
    });
    try {
      const found = deviceRecordOf(orderId, entry);
      if (!found) continue;
      const { record, kept, statement } = found;
      const signed = await isSigned(record, statement);
      if (signed === false) return fault('the device did not sign this record');
      const { key, at: recordedAt, driver_id: driverId, carrier_id: carrierId, seen } = record;
      const from = revocations.get(key);
      const latest = recordedAt > entry.ts_utc ? recordedAt : entry.ts_utc;
      parts.push({
        ...{ entry: index + 1, key: deviceKeyId(key), driverId, carrierId, recordedAt },
        receivedAt: entry.ts_utc,
        isKept: kept !== null,
        hasSeen: seen === null || entries[seen.entry - 1]?.event_hash === seen.hash,
        revokedFrom: from !== undefined && latest >= from ? from : null,
        isChecked: signed !== null,
      });
    } catch (error) {
      if (error instanceof Rejection) return fault(error.message);
      throw error;
    }
  }
  return parts;
};

/** Returns null if this program cannot verify signatures. */
const isSigned = ({ key, signature }: DeviceRecord, statement: string): Promise<boolean | null> =>
  isDeviceSignature(key, signature, statement).catch((error) => {
    if (error instanceof Unchecked) return null;
    throw error;
  });

/** Returns the earliest time from which on each key is revoked, by the entries `DEVICE_REVOKED`. */
const revocationsIn = (entries: readonly ChainEntry[]): ReadonlyMap<string, string> => {
  const times = new Map<string, string>();
  for (const { internal_type, payload } of entries) {
    if (internal_type !== 'DEVICE_REVOKED') continue;
    const { key, from } = membersOf(payload);
    if (typeof key !== 'string' || typeof from !== 'string') continue;
    const known = times.get(key);
    if (known === undefined || from < known) times.set(key, from);
  }
  return times;
};

const namedMax = 20;

/** Returns sentences about the records of devices; empty if there are none. */
export const deviceSentences = (parts: readonly DevicePart[]): string => {
  const named = (what: string, of: readonly DevicePart[], say: (part: DevicePart) => string) => {
    if (of.length === 0) return '';
    const more = of.length > namedMax ? ` and ${of.length - namedMax} more` : '';
    return ` ${what}: ${of.slice(0, namedMax).map(say).join(', ')}${more}.`;
  };
  const entry = ({ entry: number }: DevicePart) => `entry ${number}`;
  const [checked, unchecked] = [true, false].map((is) => parts.filter((p) => p.isChecked === is));
  return [
    named(
      'Signed on devices',
      checked!,
      (part) => `${entry(part)} (key ${part.key}, ${part.recordedAt} by its clock)`,
    ),
    named('Signatures of devices that this program cannot check', unchecked!, entry),
    named(
      'Not applied, and kept as recorded',
      parts.filter(({ isKept }) => isKept),
      entry,
    ),
    named(
      'Recorded when the device was revoked',
      parts.filter(({ revokedFrom }) => revokedFrom !== null),
      (part) => `${entry(part)} (from ${part.revokedFrom} on)`,
    ),
    named(
      'Recorded after an entry that this history does not have',
      parts.filter(({ hasSeen }) => !hasSeen),
      entry,
    ),
  ].join('');
};
