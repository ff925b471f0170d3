import { clients } from '../calls/clients.ts';
import { everyPage } from '../calls/every-page.ts';
import { useCall } from '../calls/use-call.ts';

/** Names what `useRecords` has read. */
export const recordsKey = ['carriers'] as const;

/** All carriers and drivers, at most 2,000 of each, by their names. */
export const useRecords = (enabled = true) =>
  useCall(
    recordsKey,
    async () => {
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
    },
    { enabled },
  );

interface Listed {
  readonly name: string;
  readonly active: boolean;
}

/** The active ones stand first. */
const byName = (one: Listed, other: Listed): number =>
  Number(other.active) - Number(one.active) || one.name.localeCompare(other.name);
