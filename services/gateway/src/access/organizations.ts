import { type Database, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import { OrganizationEntity, type OrganizationRecord } from '../schema/organization.ts';
import { notFound, requireId } from './require-id.ts';

const pageSize = 100;
const nameMax = 200;
const adminsMax = 20;

const shape = (record: OrganizationRecord) => ({
  id: record.id,
  name: record.name,
  enabled: record.enabled,
  admins: [...record.admins],
  createdAt: record.createdAt.toISOString(),
});

const requireAdmins = (admins: readonly string[]): string[] => {
  if (admins.length > adminsMax) throw invalid(['admins'], `at most ${adminsMax} addresses`);
  for (const address of admins)
    if (!/^[^\s@<>,;"\0]{1,64}@[^\s@<>,;"\0]{1,190}$/.test(address))
      throw invalid(['admins'], 'expected e-mail addresses', address);
  return [...new Set(admins)];
};

/**
 * Creates and changes organizations for operators.
 * @param changed called with the organization's id after the commit of a change. It must drop
 *   cached credentials of the organization's keys.
 */
export const organizations = (db: Database, changed: (organizationId: string) => void) => {
  const change = async (
    id: string,
    edit: (record: OrganizationRecord) => void,
  ): Promise<ReturnType<typeof shape>> => {
    requireId(id, 'organization');
    const record = await db.transaction(async ({ em }) => {
      const found = await em.findOne(OrganizationEntity, { id });
      if (!found) throw notFound('organization');
      edit(found);
      return found;
    });
    changed(id);
    return shape(record);
  };

  return {
    create: async (request: { name: string; disabled: boolean; admins: readonly string[] }) => {
      const name = request.name.trim();
      if (name === '' || [...name].length > nameMax || name.includes('\0'))
        throw invalid(['name'], `expected 1 to ${nameMax} characters`, request.name);
      const record = {
        id: uuidv7(),
        name,
        enabled: !request.disabled,
        admins: requireAdmins(request.admins),
        createdAt: new Date(),
      };
      await db.transaction(async ({ em }) => {
        em.create(OrganizationEntity, record, { persist: true });
      });
      return shape(record as OrganizationRecord);
    },
    list: async (afterId: string) => {
      const after = afterId === '' ? {} : { id: { $gt: requireId(afterId, 'organization') } };
      const found = await db.read((em) =>
        em.find(OrganizationEntity, after, { orderBy: { id: 'asc' }, limit: pageSize }),
      );
      const last = found.length === pageSize ? found.at(-1)!.id : '';
      return { organizations: found.map(shape), nextId: last };
    },
    get: async (id: string) => {
      requireId(id, 'organization');
      const found = await db.read((em) => em.findOne(OrganizationEntity, { id }));
      if (!found) throw notFound('organization');
      return shape(found);
    },
    setEnabled: (id: string, enabled: boolean) =>
      change(id, (record) => {
        record.enabled = enabled;
      }),
    setAdmins: (id: string, admins: readonly string[]) => {
      const addresses = requireAdmins(admins);
      return change(id, (record) => {
        record.admins = addresses;
      });
    },
  };
};
