/**
 * Describes the entries of a custody history in words: who had the goods when. Pure. Accepts any
 * JSON value, because anybody may have written the file.
 */
import { disclosedOr, type Fact, factsOf, type Members, membersOf } from './entry-facts.ts';
import { shownText } from './shown-text.ts';

export interface DescribedEntry {
  /** `2026-01-15 09:30:00 UTC`, or the entry's own text if it is not such a time. */
  readonly time: string;
  /** The entry's type in words, such as "Goods sealed". */
  readonly title: string;
  readonly facts: readonly Fact[];
  /** The party that has the goods after this entry. */
  readonly holder: string;
  readonly hash: string;
}

/**
 * Describes each entry, oldest first. The holder follows from this entry and all entries before it.
 */
export const describeHistory = (entries: readonly unknown[]): DescribedEntry[] => {
  let state: Custody = { goods: 'sender', driver: '', organization: '', party: '' };
  return entries.map((value) => {
    const entry = membersOf(value);
    state = after(state, entry);
    return {
      time: timeOf(entry.ts_utc),
      title: titleOf(entry),
      facts: factsOf(entry),
      holder: holderOf(state),
      hash: shownText(entry.event_hash),
    };
  });
};

interface Custody {
  readonly goods: 'sender' | 'driver' | 'party' | 'receiver';
  readonly driver: string;
  readonly organization: string;
  /** Who received the goods in the last handover. */
  readonly party: string;
}

/**
 * Returns the custody state after an entry. Custody begins with PICKUP_STARTED and ends with
 * CUSTODY_TRANSFERRED; a handover gives the goods to the party that it names.
 */
const after = (state: Custody, entry: Members): Custody => {
  const payload = membersOf(entry.payload);
  switch (entry.internal_type) {
    case 'ORDER_ASSIGNED':
      return { ...state, organization: shownText(payload.transport_organization) };
    case 'ASSIGNMENT_DECLINED':
      return { ...state, organization: '' };
    case 'DRIVER_ASSIGNED':
      return { ...state, driver: shownText(disclosedOr(entry, 'driver', '')) };
    case 'DRIVER_RELEASED':
      return { ...state, driver: '' };
    case 'PICKUP_STARTED':
      return { ...state, goods: 'driver' };
    case 'HANDOVER_RECORDED':
      return { ...state, goods: 'party', party: receiverOf(entry) };
    case 'CUSTODY_TRANSFERRED':
      return { ...state, goods: 'receiver' };
    default:
      return state;
  }
};

const receiverOf = (entry: Members): string =>
  [disclosedOr(entry, 'to_person', ''), membersOf(membersOf(entry.payload).to).party]
    .map(shownText)
    .filter((part) => part !== '')
    .join(', ');

const holderOf = ({ goods, driver, organization, party }: Custody): string => {
  if (goods === 'party') return party || 'Unknown party';
  if (goods !== 'driver') return goods === 'sender' ? 'Sender' : 'Receiver';
  return [driver || 'Driver', organization].filter((part) => part !== '').join(', ');
};

const titles: Readonly<Record<string, string>> = {
  ORDER_SUBMITTED: 'Order submitted',
  ORDER_ASSIGNED: 'Order assigned',
  ASSIGNMENT_DECLINED: 'Assignment declined',
  ORDER_ACCEPTED: 'Order accepted',
  DRIVER_ASSIGNED: 'Driver assigned',
  DRIVER_RELEASED: 'Driver released',
  PICKUP_STARTED: 'Pickup started',
  SEAL_APPLIED: 'Goods sealed',
  TRANSPORT_STARTED: 'Transport started',
  CUSTODY_TRANSFERRED: 'Goods delivered',
  ORDER_CLOSED: 'Order closed',
  ORDER_CANCELLED: 'Order cancelled',
  ORDER_UPDATED: 'Order changed',
  INCIDENT_REPORTED: 'Incident reported',
  ORDER_ESCALATED: 'Order escalated',
  HANDOVER_RECORDED: 'Handover recorded',
  SEAL_MISMATCH: 'Seals differ',
  CONDITION_RECORDED: 'Temperature recorded',
  TEMPERATURE_EXCURSION: 'Temperature out of limits',
  PERSONAL_DATA_ERASED: 'Personal data erased',
};

/**
 * Returns an entry's type in words. The list of types is open: an unknown type is shown unchanged.
 */
const titleOf = ({ type, internal_type: kind }: Members): string =>
  typeof kind === 'string' && Object.hasOwn(titles, kind)
    ? titles[kind]!
    : shownText(kind ?? type) || 'Unknown event';

const timeOf = (value: unknown): string => {
  const text = shownText(value);
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/.exec(text) ?? [];
  return day === undefined ? text : `${day} ${time} UTC`;
};
