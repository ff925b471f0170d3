/** The German texts of a certificate. */
import { clockTime } from './clock-time.ts';
import { decimalText } from './decimal-text.ts';
import type { Texts } from './en.ts';

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
const day = (isoDay: string) => isoDay.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3.$2.$1');
const time = (at: string) => clockTime(at, day);
const decimal = (value: number) => decimalText(value).replace('.', ',');

export const de: Texts = {
  time,
  day,
  number: decimal,
  temperature: (value, unit) =>
    `${decimal(value)} ${{ celsius: '°C', fahrenheit: '°F', kelvin: 'K' }[unit]}`,
  titles: {
    proven: 'Transport- und Übergabenachweis',
    consistent: 'Transport- und Übergabeverlauf, nicht bewiesen',
    invalid: 'Transport- und Übergabeverlauf, ungültig',
  },
  footer: (order, head) => [`Auftrag ${order}`, `Kopf-Hash ${head}`],
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  missingGlyphs: (mark) =>
    `${mark} steht für ein Zeichen, das die Schriften dieser Datei nicht enthalten. Diese Texte haben solche Zeichen; die HTML-Fassung dieses Dokuments zeigt sie an:`,
  issuedBy: (host) => `Ausgestellt von ${host}`,
  more: (n) => `und ${n} weitere`,
  moreRows: (n) =>
    `und ${count(n, 'weitere Zeile', 'weitere Zeilen')}; die Nachweisdatei enthält alle Einträge`,
  none: 'keine',
  unknown: 'unbekannt',
  erased: (at) => `gelöscht am ${at}`,
  withheld: 'in der Nachweisdatei nicht offengelegt',

  verdict: {
    proven:
      'Bewiesen: Ein vertrauenswürdiger Schlüssel hat den Checkpoint signiert, der diesen Verlauf abdeckt.',
    provenEmpty:
      'Bewiesen: Ein vertrauenswürdiger Schlüssel hat signiert, dass der Auftrag keine Einträge hat.',
    pending: 'Noch nicht bewiesen: Kein Checkpoint deckt den letzten Eintrag ab.',
    pendingNext: 'Dieses Dokument nach einer Sekunde erneut abrufen.',
    empty:
      'Nicht bewiesen: Der Auftrag hat keine Einträge, und kein signierter Index bestätigt das.',
    unknownSigner:
      'Nicht bewiesen: Nur ein Schlüssel aus der Nachweisdatei selbst hat den Checkpoint signiert.',
    unchecked: 'Nicht bewiesen: Die Signatur des Checkpoints konnte nicht geprüft werden.',
    witnesses: (cosigned, quorum) =>
      `Nicht bewiesen: ${cosigned} Zeugen haben den Checkpoint mitsigniert, ${quorum} sind erforderlich.`,
    witnessed: (cosigned, given) =>
      `${cosigned} von ${given} Zeugen haben den Checkpoint mitsigniert.`,
    invalid: (member) =>
      `Ungültig: Die Nachweisdatei ist verändert, beschädigt oder gefälscht (${member}).`,
    invalidEntry: (entry) =>
      `Ungültig: Eintrag ${entry} passt nicht: Ein Eintrag wurde verändert, eingefügt, verschoben oder entfernt.`,
    reason: (reason) => `Begründung des Prüfprogramms (englisch): ${reason}.`,
    invalidLimit: 'Eine ungültige Datei beweist nichts über den Auftrag.',
    invalidContent: 'Der Rest dieses Dokuments zeigt nur, was die ungültige Datei angibt.',
    unprovenContent:
      'Der Rest dieses Dokuments zeigt, was die Datei angibt. Jede Person könnte sie erstellt haben.',
    complete: (entries, asOf) =>
      `Umfasst ${count(entries, 'Eintrag', 'Einträge')}; vollständig mit Stand ${asOf}.`,
    incomplete: (entries) =>
      `Umfasst ${count(entries, 'Eintrag', 'Einträge')}. Die Datei allein zeigt nicht, ob spätere Einträge abgeschnitten wurden.`,
    shows: (entries) =>
      `Zeigt ${count(entries, 'Eintrag', 'Einträge')}. Nichts zeigt, ob spätere Einträge abgeschnitten wurden.`,
    checkpoint: (size, at) => (at === '' ? `Checkpoint ${size}` : `${at} (Checkpoint ${size})`),
    erased: (n) =>
      `${count(n, 'personenbezogenes Feld wurde', 'personenbezogene Felder wurden')} gelöscht; siehe unten.`,
  },
  deviations: {
    none: 'Es wurde keine Abweichung erfasst.',
    some: (n) => (n === 1 ? 'Eine Abweichung wurde erfasst:' : 'Abweichungen wurden erfasst:'),
    incident: (name, n, numbers) =>
      `${name}: ${n} (${n === 1 ? 'Eintrag' : 'Einträge'} ${numbers})`,
    uncovered:
      'Kein Messwert liegt in der Transportzeit, obwohl der Auftrag Temperaturgrenzen hat.',
  },
  limits: {
    heading: 'Was dieses Dokument nicht beweist',
    truth:
      'Es beweist nicht, dass eine erfasste Angabe wahr ist, sondern nur, dass sie seit der Erfassung unverändert ist.',
    later: 'Es sagt nichts über Einträge nach dem letzten hier aufgeführten Eintrag.',
    completeness:
      'Es beweist die Vollständigkeit nur, wenn die Nachweisdatei einen Vollständigkeitsnachweis enthält, und nur mit Stand dieses Checkpoints.',
    key: 'Eine Signatur beweist nur so viel wie ihr Schlüssel: Der Schlüssel des Logs muss aus einer anderen Quelle als diesem Dokument bekannt sein.',
    file: 'Das Beweismittel ist die Nachweisdatei. Dieses Dokument ist ihre lesbare Fassung.',
  },

  order: {
    heading: 'Auftrag',
    id: 'Auftrags-ID',
    externalId: 'Externe ID',
    status: 'Status',
    sla: 'Dringlichkeit',
    created: 'Erstellt',
    window: 'Abholzeitraum',
    from: (at) => `ab ${at}`,
    until: (at) => `bis ${at}`,
    cancelReason: 'Grund der Stornierung',
    temperature: 'Temperaturgrenzen',
    evidence: 'Erforderliche Belege',
    pickup: 'Abholung',
    parties: 'Beteiligte und Adressen',
    dropoff: 'Zustellung',
    carrier: 'Transportunternehmen',
    driver: 'Fahrer/in',
  },
  statuses: {
    DRAFT: 'Entwurf',
    SUBMITTED: 'eingereicht',
    ASSIGNED: 'zugewiesen',
    ACCEPTED: 'angenommen',
    DRIVER_ASSIGNED: 'Fahrer/in zugewiesen',
    PICKUP_STARTED: 'Abholung begonnen',
    SEALED: 'versiegelt',
    IN_TRANSIT: 'unterwegs',
    DELIVERED: 'zugestellt',
    CLOSED: 'abgeschlossen',
    CANCELLED: 'storniert',
  },
  slas: { STANDARD: 'Standard', EXPRESS: 'Express', CRITICAL: 'kritisch' },

  goods: {
    heading: 'Transportgut und Siegel',
    columns: ['Nr.', 'Transportgut', 'Siegel'],
    none: 'Der Auftrag enthält kein Transportgut.',
    noSeal: 'keines',
    count: (n) => count(n, 'Position', 'Positionen'),
  },

  handovers: {
    heading: 'Übergaben',
    none: 'Es wurde keine Übergabe erfasst.',
    columns: ['Eintrag', 'Zeit und Ort', 'Von', 'An', 'Belege'],
    artifact: (type, size) => `Datei (${type}, ${size} Byte), SHA-256:`,
    keptUntil: (at) => `Datei gespeichert bis ${at}`,
    sealsMatch: (n) => `Gescannte Siegel: ${n}, alle wie angebracht`,
    sealsUncompared: (seals) =>
      `Gescannte Siegel: ${seals}; keine angebrachten Siegel zum Vergleich`,
    missing: (seals) => `Fehlende Siegel: ${seals}`,
    unexpected: (seals) => `Unerwartete Siegel: ${seals}`,
    notScanned: 'Siegel nicht gescannt',
    noPlace: 'keine Position',
    person: (name) => `Person: ${name}`,
    picture: (entry, what) => `Eintrag ${entry}: ${what}`,
    pictureNotShown: 'Dieses Dokument kann das Bild nicht zeigen.',
  },
  stages: {
    pickup: 'Abholung',
    transfer: 'Zwischenübergabe',
    dropoff: 'Zustellung',
    return: 'Rückgabe',
  },
  roles: {
    shipper: 'Absender',
    carrier: 'Transportunternehmen',
    courier: 'Kurier',
    consignee: 'Empfänger',
    other: 'sonstige',
  },
  methods: {
    signature: 'Unterschrift',
    pin: 'PIN',
    scan: 'Scan',
    photo: 'Foto',
    id_checked: 'Ausweis geprüft',
    code: 'Code des Links',
    device_signature: 'Signatur des Geräts',
  },

  conditions: {
    heading: 'Transportbedingungen',
    none: 'Es wurden keine Temperaturen erfasst.',
    record: (entry) => `Temperaturaufzeichnung aus Eintrag ${entry}`,
    period: 'Zeitraum',
    device: 'Gerät',
    calibration: 'Kalibrierung',
    calibrationUnknown: 'keine Kalibrierung angegeben',
    calibrationExpired: 'Warnung: Die Kalibrierung des Geräts war abgelaufen.',
    calibrationExpiredShort: 'abgelaufen',
    limits: 'Grenzwerte',
    noLimits: 'keine',
    atLeast: (value) => `mindestens ${value}`,
    atMost: (value) => `höchstens ${value}`,
    between: (min, max) => `${min} bis ${max}`,
    measured: 'Minimum / Mittel / Maximum',
    covered: 'Teil der Transportzeit',
    covers: (part, all) => `${part} von ${all}`,
    coversNothing: 'keiner: Kein Messwert liegt in der Transportzeit',
    pickup: 'Abholung begonnen',
    delivery: 'zugestellt',
    outside: (n, duration) =>
      `Außerhalb der Transportzeit, kein Vorfall: ${count(n, 'Abweichung', 'Abweichungen')}, zusammen ${duration}.`,
    outsideTable: 'Abweichungen außerhalb der Transportzeit',
    readings: 'Messwerte',
    readingsOf: (n, gap) => (gap === '' ? `${n}` : `${n}, längste Lücke ${gap}`),
    file: 'Datei der Messwerte (SHA-256)',
    recordedBy: 'Erfasst durch',
    recorders: { partner: 'Partner', operator: 'Betreiber', driver: 'Gerät des Fahrers' },
    excursions: 'Abweichungen',
    noExcursions: 'keine',
    excursionsOf: (n, duration) =>
      `${count(n, 'Abweichung', 'Abweichungen')}, zusammen ${duration}`,
    excursionNotice: (n, duration) =>
      `Temperatur außerhalb der Grenzwerte: ${count(n, 'Abweichung', 'Abweichungen')}, zusammen ${duration}.`,
    excursionColumns: ['Von', 'Bis', 'Dauer', 'Grenzwert', 'Extremwert'],
    below: 'unter dem Minimum',
    above: 'über dem Maximum',
    chart: 'Erfasste Temperaturen',
    chartNote:
      'Die Kurve zeigt den niedrigsten und den höchsten Wert von bis zu 100 gleichen Abschnitten; ein Balken ist eine Aufzeichnung ohne Kurve. Waagrechte gestrichelte Linien sind Grenzwerte, senkrechte die Enden der Transportzeit. Rote Markierungen sind Abweichungen mit ihrem Extremwert, graue liegen außerhalb der Transportzeit.',
  },

  incidents: {
    heading: 'Vorfälle',
    none: 'Es wurde kein Vorfall erfasst.',
    columns: ['Eintrag', 'Zeit', 'Ereignis', 'Einzelheiten'],
    excursion: (range, n, duration) =>
      `${range}; ${count(n, 'Abweichung', 'Abweichungen')}, zusammen ${duration}`,
    kind: 'Art',
    kinds: {
      damage: 'Beschädigung',
      delay: 'Verspätung',
      temperature: 'Temperatur',
      seal: 'Siegel',
      access: 'Zugang',
      accident: 'Unfall',
      other: 'anderes',
    },
    severity: 'Schwere',
    severities: { low: 'gering', medium: 'mittel', high: 'hoch' },
    resolved: (entry, time) => `Beendet durch Eintrag ${entry}, ${time}`,
    open: 'Nicht beendet',
  },

  erasures: {
    heading: 'Gelöschte personenbezogene Daten',
    none: 'Es wurden keine personenbezogenen Daten gelöscht.',
    columns: ['Eintrag', 'Feld', 'Gelöscht am'],
    note: 'Die Einträge und ihre Hashwerte sind unverändert: Ein Eintrag enthält von einem personenbezogenen Feld nur ein Commitment.',
  },
  fields: {
    driver: 'Fahrer/in',
    note: 'Notiz',
    asks: 'verlangt',
    asked_by: 'verlangt von',
    from_person: 'übergebende Person',
    to_person: 'übernehmende Person',
    person: 'Person',
    phone: 'Telefon',
    vehicle: 'Fahrzeug',
  },

  history: {
    heading: 'Alle Einträge',
    none: 'Der Auftrag hat keine Einträge.',
    columns: ['Nr.', 'Zeit', 'Ereignis', 'Hash'],
    place: 'Ort',
    reference: 'Referenz',
    temperature: 'Temperatur',
    cancelledFrom: 'Storniert im Status',
    changed: 'Geändert',
    seals: 'Siegel',
  },
  events: {
    ORDER_SUBMITTED: 'Auftrag eingereicht',
    ORDER_ASSIGNED: 'Auftrag zugewiesen',
    ASSIGNMENT_DECLINED: 'Zuweisung abgelehnt',
    ORDER_ACCEPTED: 'Auftrag angenommen',
    DRIVER_ASSIGNED: 'Fahrer/in zugewiesen',
    DRIVER_RELEASED: 'Fahrer/in abgezogen',
    PICKUP_STARTED: 'Abholung begonnen',
    DRIVER_ARRIVED: 'Fahrer/in eingetroffen',
    SEAL_APPLIED: 'Transportgut versiegelt',
    TRANSPORT_STARTED: 'Transport begonnen',
    CUSTODY_TRANSFERRED: 'Transportgut zugestellt',
    ORDER_CLOSED: 'Auftrag abgeschlossen',
    ORDER_CANCELLED: 'Auftrag storniert',
    ORDER_UPDATED: 'Auftrag geändert',
    INCIDENT_REPORTED: 'Vorfall gemeldet',
    INCIDENT_RESOLVED: 'Vorfall beendet',
    ORDER_ESCALATED: 'Auftrag eskaliert',
    DEVICE_RECORD_KEPT: 'Eintrag eines Telefons aufbewahrt, nicht ausgeführt',
    DEVICE_REVOKED: 'Telefon gesperrt',
    PERSONAL_DATA_ERASED: 'Personenbezogene Daten gelöscht',
    HANDOVER_RECORDED: 'Übergabe erfasst',
    EVIDENCE_WAIVED: 'Auf geforderten Nachweis verzichtet',
    SEAL_MISMATCH: 'Siegel stimmen nicht überein',
    CONDITION_RECORDED: 'Temperaturen erfasst',
    TEMPERATURE_EXCURSION: 'Temperatur außerhalb der Grenzwerte',
  },

  proof: {
    heading: 'Nachweisdatei',
    attached: 'Die PDF-Fassung dieses Dokuments enthält die Nachweisdatei als Anhang.',
    fileDescription: 'Nachweis des Verlaufs',
    entries: 'Anzahl der Einträge',
    head: 'Kopf-Hash',
    origin: 'Log',
    size: 'Größe des Checkpoints',
    leaf: 'Blatt des letzten Eintrags',
    noLog: 'keiner: Noch deckt kein Checkpoint den letzten Eintrag ab',
    completeness: 'Vollständigkeit',
    hasCompleteness: (n) => `laut signiertem Index ${count(n, 'Eintrag', 'Einträge')}`,
    otherCompleteness:
      'die Datei enthält einen Vollständigkeitsnachweis, den kein vertrauenswürdiger Schlüssel bestätigt',
    noCompleteness: 'kein Vollständigkeitsnachweis in der Datei',
    trustedKey: 'Signierender Schlüssel',
    keys: 'Schlüssel des Logs in der Nachweisdatei',
    key: (vkey, from, until) =>
      until === '' ? `${vkey}, gültig ab ${from}` : `${vkey}, gültig ab ${from} bis ${until}`,
    qr: 'QR-Code der Prüfseite',
    qrLines: [
      'Der Code öffnet die Seite, die die Nachweisdatei im Browser prüft:',
      'Den dort angezeigten Kopf-Hash mit dem Kopf-Hash in diesem Dokument vergleichen.',
    ],
  },
};
