import { Failure } from '@pto/errors';
import { isUuid, WrongUsage } from './arguments.ts';
import { everyPage, type OpenClients } from './clients.ts';

export const allCarriers = (open: OpenClients) =>
  everyPage(
    (afterId) => open().carriers.listCarriers({ afterId }),
    (page) => page.carriers,
  );

/** @param carrierId empty: of all carriers. */
export const allDrivers = (open: OpenClients, carrierId = '') =>
  everyPage(
    (afterId) => open().carriers.listDrivers({ afterId, carrierId }),
    (page) => page.drivers,
  );

/**
 * Returns the id of the carrier or driver that a person names: an id as it is, any other text as the
 * name, in any case. An active one is found before those that are not.
 * @throws Failure NOT_FOUND; WrongUsage if several have the name.
 */
export const recordIdOf = async (
  open: OpenClients,
  of: 'carrier' | 'driver',
  reference: string,
): Promise<string> => {
  if (isUuid(reference)) return reference;
  const all = await (of === 'carrier' ? allCarriers(open) : allDrivers(open));
  const named = all.filter(({ name }) => name.toLowerCase() === reference.trim().toLowerCase());
  const active = named.filter((one) => one.active);
  const [found, ...others] = active.length > 0 ? active : named;
  if (!found)
    throw new Failure('NOT_FOUND', `No ${of} has this id or name.`, { details: { resource: of } });
  if (others.length === 0) return found.id;
  const ids = [found, ...others].map(({ id }) => id).join(', ');
  throw new WrongUsage(`several have this name; give the id: ${ids}`);
};
