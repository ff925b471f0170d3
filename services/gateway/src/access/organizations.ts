import { type Database, uuidv7 } from '@pto/database';
import { OrganizationEntity, type OrganizationRecord } from '../schema/organization.ts';
import { requireAdministrators } from './require-administrators.ts';
import { notFound, requireId } from './require-id.ts';
import { requireName } from './require-name.ts';

const pageSize = 100;
const nameMax = 200;

const shape = (record: OrganizationRecord) => ({
  id: record.id,
  name: record.name,
  enabled: record.enabled,
  admins: [...record.admins],
  createdAt: record.createdAt.toISOString(),
});

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
      const record = {
        id: uuidv7(),
        name: requireName(request.name, { min: 1, max: nameMax }),
        enabled: !request.disabled,
        admins: requireAdministrators(request.admins),
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
      const addresses = requireAdministrators(admins);
      return change(id, (record) => {
        record.admins = addresses;
      });
    },
  };
};
