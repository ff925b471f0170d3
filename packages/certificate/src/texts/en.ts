/** The English texts of a certificate. The German ones have the same type. */
import { entryTitles } from '@pto/custody-verifier/entry-title';
import { clockTime } from './clock-time.ts';
import { decimalText } from './decimal-text.ts';

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const day = (isoDay: string) => isoDay;
const time = (at: string) => clockTime(at, day);

export const en = {
  time,
  day,
  /** A number as JSON has it, with a decimal point. */
  number: decimalText,
  temperature: (value: number, unit: 'celsius' | 'fahrenheit' | 'kelvin') =>
    `${decimalText(value)} ${{ celsius: '°C', fahrenheit: '°F', kelvin: 'K' }[unit]}`,
  titles: {
    proven: 'Custody certificate',
    consistent: 'Custody history, not proven',
    invalid: 'Custody history, invalid',
  },
  footer: (order: string, head: string) => [`Order ${order}`, `Head hash ${head}`],
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  missingGlyphs: (mark: string) =>
    `${mark} stands for a character that the fonts of this file do not have. These texts have such characters; the HTML form of this document shows them:`,
  issuedBy: (host: string) => `Issued by ${host}`,
  more: (n: number) => `and ${n} more`,
  moreRows: (n: number) =>
    `and ${count(n, 'more row', 'more rows')}; the proof file has all entries`,
  none: 'none',
  unknown: 'unknown',
  erased: (at: string) => `erased on ${at}`,
  withheld: 'not disclosed in the proof file',

  verdict: {
    proven: 'Proven: a trusted key signed the checkpoint that covers this history.',
    provenEmpty: 'Proven: a trusted key signed that the order has no custody entries.',
    pending: 'Not proven yet: no checkpoint covers the last entry.',
    pendingNext: 'Request this document again after one second.',
    empty: 'Not proven: the order has no custody entries, and no signed index shows that.',
    unknownSigner: 'Not proven: only a key that the proof file itself has signed the checkpoint.',
    unchecked: 'Not proven: the signature of the checkpoint could not be checked.',
    witnesses: (cosigned: number, quorum: number) =>
      `Not proven: ${cosigned} witnesses cosigned the checkpoint, and ${quorum} must.`,
    witnessed: (cosigned: number, given: number) =>
      `${cosigned} of ${given} witnesses cosigned the checkpoint.`,
    invalid: (member: string) =>
      `Invalid: the proof file is changed, damaged or forged (${member}).`,
    invalidEntry: (entry: number) =>
      `Invalid: entry ${entry} does not fit: an entry was changed, added, moved or removed.`,
    reason: (reason: string) => `Reason of the verifier: ${reason}.`,
    invalidLimit: 'An invalid file proves nothing about the order.',
    invalidContent: 'The rest of this document shows only what the invalid file states.',
    unprovenContent:
      'The rest of this document shows what the file states. Anyone could have made it.',
    complete: (entries: number, asOf: string) =>
      `Covers ${count(entries, 'entry', 'entries')}; complete as of ${asOf}.`,
    incomplete: (entries: number) =>
      `Covers ${count(entries, 'entry', 'entries')}. The file alone does not show whether later entries were cut off.`,
    shows: (entries: number) =>
      `Shows ${count(entries, 'entry', 'entries')}. Nothing shows whether later entries were cut off.`,
    checkpoint: (size: string, at: string) =>
      at === '' ? `checkpoint ${size}` : `${at} (checkpoint ${size})`,
    erased: (n: number) =>
      `${count(n, 'personal field was', 'personal fields were')} erased; see below.`,
  },
  deviations: {
    none: 'No deviation was recorded.',
    some: (n: number): string =>
      n === 1 ? 'A deviation was recorded:' : 'Deviations were recorded:',
    incident: (name: string, n: number, numbers: string) =>
      `${name}: ${n} (${n === 1 ? 'entry' : 'entries'} ${numbers})`,
    uncovered: 'No reading lies within the custody, although the order has temperature limits.',
  },
  limits: {
    heading: 'What this document does not prove',
    truth:
      'It does not prove that a recorded statement is true, only that it is unchanged since it was recorded.',
    later: 'It says nothing about entries after the last one that it lists.',
    completeness:
      'It proves completeness only if the proof file has a completeness proof, and as of that checkpoint.',
    key: 'A signature proves only as much as its key: get the key of the log from another source than this document.',
    file: 'The evidence is the proof file. This document is a readable form of it.',
  },

  order: {
    heading: 'Order',
    id: 'Order ID',
    externalId: 'External ID',
    status: 'Status',
    sla: 'Service level',
    created: 'Created',
    window: 'Pickup window',
    from: (at: string) => `from ${at}`,
    until: (at: string) => `until ${at}`,
    cancelReason: 'Reason of the cancellation',
    temperature: 'Temperature limits',
    evidence: 'Required evidence',
    pickup: 'Pickup',
    parties: 'Parties and addresses',
    dropoff: 'Drop-off',
    carrier: 'Transport organization',
    driver: 'Driver',
  },
  statuses: {
    DRAFT: 'draft',
    SUBMITTED: 'submitted',
    ASSIGNED: 'assigned',
    ACCEPTED: 'accepted',
    DRIVER_ASSIGNED: 'driver assigned',
    PICKUP_STARTED: 'pickup started',
    SEALED: 'sealed',
    IN_TRANSIT: 'in transit',
    DELIVERED: 'delivered',
    CLOSED: 'closed',
    CANCELLED: 'cancelled',
  } as Readonly<Record<string, string>>,
  slas: { STANDARD: 'standard', EXPRESS: 'express', CRITICAL: 'critical' } as Readonly<
    Record<string, string>
  >,

  goods: {
    heading: 'Goods and seals',
    columns: ['No.', 'Goods', 'Seal'] as readonly string[],
    none: 'The order has no items.',
    noSeal: 'none',
    count: (n: number) => count(n, 'item', 'items'),
  },

  handovers: {
    heading: 'Handovers',
    none: 'No handover was recorded.',
    columns: ['Entry', 'Time and place', 'From', 'To', 'Evidence'] as readonly string[],
    artifact: (type: string, size: number) => `File (${type}, ${size} bytes), SHA-256:`,
    keptUntil: (at: string) => `File stored until ${at}`,
    sealsMatch: (n: number) => `Scanned seals: ${n}, all as applied`,
    sealsUncompared: (seals: string) => `Scanned seals: ${seals}; no applied seals to compare`,
    missing: (seals: string) => `Missing seals: ${seals}`,
    unexpected: (seals: string) => `Unexpected seals: ${seals}`,
    notScanned: 'Seals not scanned',
    noPlace: 'no position',
    person: (name: string) => `Person: ${name}`,
    picture: (entry: number, what: string) => `Entry ${entry}: ${what}`,
    pictureNotShown: 'This document cannot show the picture.',
  },
  stages: {
    pickup: 'Pickup',
    transfer: 'Transfer',
    dropoff: 'Drop-off',
    return: 'Return',
  } as Readonly<Record<string, string>>,
  roles: {
    shipper: 'shipper',
    carrier: 'carrier',
    courier: 'courier',
    consignee: 'consignee',
    other: 'other',
  } as Readonly<Record<string, string>>,
  methods: {
    signature: 'signature',
    pin: 'PIN',
    scan: 'scan',
    photo: 'photo',
    id_checked: 'identity checked',
    code: 'code of the link',
    device_signature: 'signature of the device',
  } as Readonly<Record<string, string>>,

  conditions: {
    heading: 'Conditions',
    none: 'No temperatures were recorded.',
    record: (entry: number) => `Temperature record of entry ${entry}`,
    period: 'Period',
    device: 'Device',
    calibration: 'Calibration',
    calibrationUnknown: 'no calibration stated',
    calibrationExpired: 'Warning: the calibration of the device had expired.',
    calibrationExpiredShort: 'expired',
    limits: 'Limits',
    noLimits: 'none',
    atLeast: (value: string) => `at least ${value}`,
    atMost: (value: string) => `at most ${value}`,
    between: (min: string, max: string) => `${min} to ${max}`,
    measured: 'Minimum / mean / maximum',
    covered: 'Part of the custody',
    covers: (part: string, all: string) => `${part} of ${all}`,
    coversNothing: 'none: no reading lies within the custody',
    pickup: 'pickup started',
    delivery: 'delivered',
    outside: (n: number, duration: string) =>
      `Outside of the custody, no incident: ${count(n, 'excursion', 'excursions')}, together ${duration}.`,
    outsideTable: 'Excursions outside of the custody',
    readings: 'Readings',
    readingsOf: (n: number, gap: string) => (gap === '' ? `${n}` : `${n}, longest gap ${gap}`),
    file: 'File of the readings (SHA-256)',
    recordedBy: 'Recorded by',
    recorders: { partner: 'partner', operator: 'operator', driver: "driver's device" } as Readonly<
      Record<string, string>
    >,
    excursions: 'Excursions',
    noExcursions: 'none',
    excursionsOf: (n: number, duration: string) =>
      `${count(n, 'excursion', 'excursions')}, together ${duration}`,
    excursionNotice: (n: number, duration: string) =>
      `Temperature outside of the limits: ${count(n, 'excursion', 'excursions')}, together ${duration}.`,
    excursionColumns: ['From', 'To', 'Duration', 'Limit', 'Extreme'] as readonly string[],
    below: 'below the minimum',
    above: 'above the maximum',
    chart: 'Recorded temperatures',
    chartNote:
      'The curve has the lowest and the highest value of each of up to 100 equal spans; a bar is a record without a curve. Horizontal dashed lines are limits, vertical ones the ends of the custody. Red marks are excursions with their extreme value, gray ones are outside of the custody.',
  },

  incidents: {
    heading: 'Incidents',
    none: 'No incident was recorded.',
    columns: ['Entry', 'Time', 'Event', 'Details'] as readonly string[],
    excursion: (range: string, n: number, duration: string) =>
      `${range}; ${count(n, 'excursion', 'excursions')}, together ${duration}`,
    kind: 'Kind',
    kinds: {
      damage: 'damage',
      delay: 'delay',
      temperature: 'temperature',
      seal: 'seal',
      access: 'access',
      accident: 'accident',
      other: 'other',
    } as Readonly<Record<string, string>>,
    severity: 'Severity',
    severities: { low: 'low', medium: 'medium', high: 'high' } as Readonly<Record<string, string>>,
    resolved: (entry: number, time: string) => `Resolved by entry ${entry}, ${time}`,
    open: 'Not resolved',
  },

  erasures: {
    heading: 'Erased personal data',
    none: 'No personal data was erased.',
    columns: ['Entry', 'Field', 'Erased on'] as readonly string[],
    note: 'The entries and their hashes are unchanged: an entry has only a commitment to a personal field.',
  },
  fields: {
    driver: 'driver',
    note: 'note',
    asks: 'asked for',
    asked_by: 'asked for by',
    from_person: 'person who hands over',
    to_person: 'person who receives',
    person: 'person',
    phone: 'phone',
    vehicle: 'vehicle',
  } as Readonly<Record<string, string>>,

  history: {
    heading: 'All entries',
    none: 'The order has no custody entries.',
    columns: ['No.', 'Time', 'Event', 'Hash'] as readonly string[],
    place: 'Place',
    reference: 'Reference',
    temperature: 'Temperature',
    cancelledFrom: 'Cancelled from',
    changed: 'Changed',
    seals: 'Seals',
  },
  events: entryTitles,

  proof: {
    heading: 'Proof file',
    attached: 'The PDF form of this document has the proof file as an attachment.',
    fileDescription: 'Proof of the custody history',
    entries: 'Number of entries',
    head: 'Head hash',
    origin: 'Log',
    size: 'Checkpoint size',
    leaf: 'Leaf of the last entry',
    noLog: 'none: no checkpoint covers the last entry yet',
    completeness: 'Completeness',
    hasCompleteness: (n: number) => `the signed index states ${count(n, 'entry', 'entries')}`,
    otherCompleteness: 'the file has a completeness proof that no trusted key confirms',
    noCompleteness: 'no completeness proof in the file',
    trustedKey: 'Key that signed',
    keys: 'Keys of the log in the proof file',
    key: (vkey: string, from: string, until: string) =>
      until === '' ? `${vkey}, valid from ${from}` : `${vkey}, valid from ${from} until ${until}`,
    qr: 'QR code of the verification page',
    qrLines: [
      'The code opens the page that verifies the proof file in the browser:',
      'Compare the head hash there with the one in this document.',
    ] as readonly [string, string],
  },
};

export type Texts = typeof en;
