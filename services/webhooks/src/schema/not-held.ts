import { fragment } from '@pto/database';
import { tables } from './entities.ts';

/**
 * Returns the condition that no move holds the organization of a row. The periodic work of this
 * service leaves out the rows of held organizations, so that source and target of a move agree.
 * @param organizationId the row's column, with the alias of its table.
 */
export const isNotHeld = (organizationId: string) =>
  fragment<boolean>`not exists (${tables
    .selectFrom('held_organizations as h')
    .whereRef('h.organization_id', '=', fragment.ref(organizationId))})`;
