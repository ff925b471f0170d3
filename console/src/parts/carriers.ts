import type { Carrier, Driver } from '@pto/proto/operators/v1/carriers';
import { orderCommands } from '@pto/proto/order-commands';
import { useQueryClient } from '@tanstack/react-query';
import type { Records } from '../board/holding.ts';
import { type Named, namedBy } from '../board/suggest.ts';
import { clients } from '../calls/clients.ts';
import { everyPage } from '../calls/every-page.ts';
import { useCall } from '../calls/use-call.ts';

/** Maximum number of characters of a name, of a record and without one. */
export const [{ max: nameMax }] = orderCommands.driver.fields;

/** Names what `useRecords` has read. */
export const recordsKey = ['carriers'] as const;

const read = async (): Promise<Records> => {
  const [carriers, drivers] = await Promise.all([
    everyPage(async (afterId) => {
      const { carriers: rows, nextId } = await clients.carriers.listCarriers({ afterId });
      return { rows, nextId };
    }),
    everyPage(async (afterId) => {
      const { drivers: rows, nextId } = await clients.carriers.listDrivers({ afterId });
      return { rows, nextId };
    }),
  ]);
  return { carriers: carriers.toSorted(byName), drivers: drivers.toSorted(byName) };
};

interface Listed {
  readonly name: string;
  readonly active: boolean;
}

/** The active ones stand first. */
const byName = (one: Listed, other: Listed): number =>
  Number(other.active) - Number(one.active) || one.name.localeCompare(other.name);

/** All carriers and drivers, at most 2,000 of each, by their names. */
export const useRecords = (enabled = true) => useCall(recordsKey, read, { enabled });

/** Returns the records that can be assigned. @param carrier of the order, whose drivers they are. */
export const assignable = (
  { carriers, drivers }: Records,
  of: 'carrier' | 'driver',
  carrier: Named | undefined,
): readonly (Carrier | Driver)[] => {
  const active = carriers.filter((one) => one.active);
  if (of === 'carrier') return active;
  const own =
    carrier &&
    (carrier.id ? active.find(({ id }) => id === carrier.id) : namedBy(carrier.name, active));
  return drivers.filter((one) => one.active && one.carrierId === own?.id);
};

/** Returns a function that finds the id of the record that a text names; empty: it is a name alone. */
export const useRecordId = () => {
  const queries = useQueryClient();
  return async (of: 'carrier' | 'driver', text: string, carrier?: Named): Promise<string> => {
    // a person may be faster than the first answer
    const records = await queries.ensureQueryData({ queryKey: recordsKey, queryFn: read });
    return namedBy(text, assignable(records, of, carrier))?.id ?? '';
  };
};
