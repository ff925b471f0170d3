/** The words of a link's page in both languages. */
import type { Language } from '../parts/words.ts';

type Side = 'pickup' | 'dropoff';
/** Where the order is in words, for each side. */
type Where = Readonly<Record<string, string | Readonly<Record<Side, string>>>>;

const en = {
  title: 'Transport',
  toYou: { pickup: 'Pick-up at your place', dropoff: 'Delivery to you' },
  where: {
    DRAFT: 'Being prepared',
    SUBMITTED: 'A carrier is being chosen',
    ASSIGNED: 'A carrier has the request',
    ACCEPTED: 'A carrier has accepted',
    DRIVER_ASSIGNED: { pickup: 'A driver will come to you', dropoff: 'A driver will fetch it' },
    PICKUP_STARTED: { pickup: 'Being picked up at your place', dropoff: 'Being picked up' },
    SEALED: 'Sealed, about to leave',
    IN_TRANSIT: { pickup: 'On the way', dropoff: 'On the way to you' },
    DELIVERED: { pickup: 'Delivered', dropoff: 'Handed over to you' },
    CLOSED: 'Complete',
    CANCELLED: 'Cancelled',
  } as Where,
  unknown: 'Under way',
  since: 'since',
  carrier: 'Who has it',
  carrierBefore: 'Carrier',
  driver: 'Driver',
  none: 'Not known yet',
  window: 'Pick-up window',
  from: 'from',
  until: 'until',
  place: 'Place',
  access: 'Access note',
  temperature: 'Temperature',
  limits: (text: string) => `Permitted: ${text}`,
  noLimits: 'The order has no limits.',
  noReadings: 'No readings are recorded yet.',
  last: (text: string) => `Last recorded: ${text}`,
  within: 'Within the limits',
  outside: 'Outside of the limits',
  atLeast: (text: string) => `at least ${text}`,
  atMost: (text: string) => `at most ${text}`,
  to: 'to',
  certificate: 'Download the certificate (PDF)',
  failed: 'The certificate did not come. Try again.',
  wait: 'Wait …',
  asOf: 'As of',
  ends: 'This link ends at the latest',
  stale: 'Not current: no answer comes. The page tries again.',
  endedTitle: 'This link has ended',
  ended: 'Ask those who sent it to you for a new one.',
  incompleteTitle: 'This link is not complete',
  incomplete: 'Open it again from the message in which you got it.',
  other: 'Deutsch',
  languageOf: 'Sprache',
};

const de: typeof en = {
  title: 'Transport',
  toYou: { pickup: 'Abholung bei Ihnen', dropoff: 'Lieferung zu Ihnen' },
  where: {
    DRAFT: 'Wird vorbereitet',
    SUBMITTED: 'Ein Transportunternehmen wird gesucht',
    ASSIGNED: 'Ein Transportunternehmen ist angefragt',
    ACCEPTED: 'Ein Transportunternehmen hat zugesagt',
    DRIVER_ASSIGNED: { pickup: 'Ein Fahrer kommt zu Ihnen', dropoff: 'Ein Fahrer holt es ab' },
    PICKUP_STARTED: { pickup: 'Wird bei Ihnen abgeholt', dropoff: 'Wird abgeholt' },
    SEALED: 'Versiegelt, fährt gleich los',
    IN_TRANSIT: { pickup: 'Unterwegs', dropoff: 'Unterwegs zu Ihnen' },
    DELIVERED: { pickup: 'Übergeben', dropoff: 'Ihnen übergeben' },
    CLOSED: 'Abgeschlossen',
    CANCELLED: 'Storniert',
  },
  unknown: 'In Arbeit',
  since: 'seit',
  carrier: 'Wer es hat',
  carrierBefore: 'Transportunternehmen',
  driver: 'Fahrer',
  none: 'Noch nicht bekannt',
  window: 'Abholfenster',
  from: 'ab',
  until: 'bis',
  place: 'Ort',
  access: 'Hinweis zum Zugang',
  temperature: 'Temperatur',
  limits: (text) => `Erlaubt: ${text}`,
  noLimits: 'Der Auftrag hat keine Grenzen.',
  noReadings: 'Es sind noch keine Messwerte erfasst.',
  last: (text) => `Zuletzt erfasst: ${text}`,
  within: 'Innerhalb der Grenzen',
  outside: 'Außerhalb der Grenzen',
  atLeast: (text) => `mindestens ${text}`,
  atMost: (text) => `höchstens ${text}`,
  to: 'bis',
  certificate: 'Zertifikat herunterladen (PDF)',
  failed: 'Das Zertifikat kam nicht an. Versuchen Sie es noch einmal.',
  wait: 'Warten …',
  asOf: 'Stand',
  ends: 'Dieser Link endet spätestens',
  stale: 'Nicht aktuell: Es kommt keine Antwort. Die Seite versucht es weiter.',
  endedTitle: 'Dieser Link ist beendet',
  ended: 'Bitten Sie die Absender um einen neuen.',
  incompleteTitle: 'Dieser Link ist nicht vollständig',
  incomplete: 'Öffnen Sie ihn noch einmal aus der Nachricht, in der Sie ihn bekamen.',
  other: 'English',
  languageOf: 'Language',
};

export type Texts = typeof en;
export const texts: Readonly<Record<Language, Texts>> = { en, de };

/** Returns where an order is, in words, for a side. */
export const whereOf = ({ where, unknown }: Texts, status: string, side: Side): string => {
  const words = Object.hasOwn(where, status) ? where[status]! : unknown;
  return typeof words === 'string' ? words : words[side];
};
