/** Derives who has the goods from the entries of a custody history. Pure. Accepts any JSON values. */
import { disclosedOr, membersOf } from './entry-members.ts';

/** Who has the goods. A text is empty if the entries do not have it. */
export interface Holder {
  /** `party`: who received the goods in the last handover. */
  readonly goods: 'sender' | 'driver' | 'party' | 'receiver';
  /** Assigned to the order. */
  readonly driver: string;
  /** Transport organization, assigned to the order. */
  readonly organization: string;
  /** Where the last handover was, who received the goods, and the person. */
  readonly stage: string;
  readonly party: string;
  readonly person: string;
}

/** Before the first entry. */
export const firstHolder: Holder = {
  goods: 'sender',
  driver: '',
  organization: '',
  stage: '',
  party: '',
  person: '',
};

/**
 * Returns who has the goods after one more entry. Custody begins with PICKUP_STARTED and ends with
 * CUSTODY_TRANSFERRED; a handover gives the goods to the party that it names.
 */
export const holderAfter = (before: Holder, value: unknown): Holder => {
  const entry = membersOf(value);
  const payload = membersOf(entry.payload);
  switch (entry.internal_type) {
    case 'ORDER_ASSIGNED':
      return { ...before, organization: textOf(payload.transport_organization) };
    case 'ASSIGNMENT_DECLINED':
      return { ...before, organization: '' };
    case 'DRIVER_ASSIGNED':
      return { ...before, driver: textOf(disclosedOr(entry, 'driver', '')) };
    case 'DRIVER_RELEASED':
      return { ...before, driver: '' };
    case 'PICKUP_STARTED':
      return { ...before, goods: 'driver' };
    case 'HANDOVER_RECORDED':
      return {
        ...before,
        goods: 'party',
        stage: textOf(payload.stage),
        party: textOf(membersOf(payload.to).party),
        person: textOf(disclosedOr(entry, 'to_person', '')),
      };
    case 'CUSTODY_TRANSFERRED':
      return { ...before, goods: 'receiver' };
    default:
      return before;
  }
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
