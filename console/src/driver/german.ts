/** The German of the driver's page; values of vocabularies as in the portal. */
import type { Words } from '../parts/words.ts';
import { codes } from '../portal/german/codes.ts';
import { frame } from '../portal/german/frame.ts';

export const german: Words = {
  ...codes,
  ...frame,
  ...{ scan: 'Siegel gescannt', code: 'Code der anderen Seite' },
  'Your transports': 'Ihre Transporte',
  ...{ 'Pick-up': 'Abholung', 'Drop-off': 'Lieferung', Goods: 'Transportgut' },
  ...{ Notes: 'Anmerkungen', Temperature: 'Temperatur', to: 'bis' },
  'Code of the other side, four digits': 'Code der anderen Seite, vier Ziffern',
  'Read the QR code': 'QR-Code lesen',
  'The code has four digits.': 'Der Code hat vier Ziffern.',
  'This code is wrong. {count} more wrong ones lock it.':
    'Dieser Code ist falsch. {count} weitere falsche sperren ihn.',
  'The code is locked after five wrong ones. Ask the dispatcher to unlock it.':
    'Der Code ist nach fünf falschen gesperrt. Bitten Sie die Disposition, ihn zu entsperren.',
  'Record the temperature': 'Temperatur erfassen',
  'Record a temperature': 'Temperatur erfassen',
  'Temperature by {device}': 'Temperatur von {device}',
  'Thermometer or logger': 'Thermometer oder Logger',
  'Temperature now': 'Temperatur jetzt',
  Unit: 'Einheit',
  'Or the file of the logger (CSV)': 'Oder die Datei des Loggers (CSV)',
  'Enter the name of the thermometer or logger.':
    'Geben Sie den Namen des Thermometers oder Loggers ein.',
  'Enter a temperature such as 4.5, or choose a file.':
    'Geben Sie eine Temperatur wie 4,5 ein, oder wählen Sie eine Datei.',
  'I will be there at': 'Ich bin dort um',
  'I will be there at …': 'Ich bin dort um …',
  'Report the time': 'Zeit melden',
  'Expected at {time}': 'Erwartet um {time}',
  'All transports': 'Alle Transporte',
  'This link opens once, on one phone. Your records are signed by this phone.':
    'Dieser Link gilt einmal, auf einem Telefon. Dieses Telefon unterschreibt Ihre Einträge.',
  'Begin the shift': 'Schicht beginnen',
  'No shift on this phone': 'Keine Schicht auf diesem Telefon',
  'The page cannot begin': 'Die Seite kann nicht beginnen',
  'Your shift has ended, or never began here. Ask the dispatcher for a link.':
    'Ihre Schicht ist beendet oder hat hier nie begonnen. Bitten Sie die Disposition um einen Link.',
  'The server has an error. Try again; if it stays so, call your dispatcher.':
    'Der Server hat einen Fehler. Versuchen Sie es noch einmal; bleibt es so, rufen Sie die Disposition an.',
  'The shift has ended. Ask the dispatcher for a link.':
    'Die Schicht ist beendet. Bitten Sie die Disposition um einen Link.',
  'Your shift does not permit this. Call your dispatcher.':
    'Ihre Schicht erlaubt das nicht. Rufen Sie die Disposition an.',
  'This link was opened before, has expired or is not complete. Ask for a new one.':
    'Dieser Link wurde schon geöffnet, ist abgelaufen oder unvollständig. Bitten Sie um einen neuen.',
  'The order has moved on meanwhile.': 'Der Auftrag ist inzwischen weiter.',
  'Another record has the same number. Record it again.':
    'Ein anderer Eintrag hat dieselbe Nummer. Tragen Sie es noch einmal ein.',
  'The server does not accept a value.': 'Der Server nimmt einen Wert nicht an.',
  'The code was wrong, or is locked.': 'Der Code war falsch oder ist gesperrt.',
  'The picture cannot be used. Take another photo.':
    'Das Bild ist nicht nutzbar. Nehmen Sie ein anderes Foto auf.',
  'The file of the logger cannot be used, or was sent before.':
    'Die Datei des Loggers ist nicht nutzbar oder wurde schon gesendet.',
  'Choose a file of at most 5 MB.': 'Wählen Sie eine Datei von höchstens 5 MB.',
  'The signature of this phone does not fit the record.':
    'Die Unterschrift dieses Telefons passt nicht zum Eintrag.',
  'The office had blocked this phone when you recorded it.':
    'Die Disposition hatte dieses Telefon gesperrt, als Sie es eintrugen.',
  'The answer is: {answer}.': 'Die Antwort ist: {answer}.',
  'It stays on this phone and is sent again. Name this answer when you call.':
    'Er bleibt auf diesem Telefon und wird noch einmal gesendet. Nennen Sie diese Antwort, wenn Sie anrufen.',
  'Too many incidents are open. Call your dispatcher.':
    'Zu viele Vorfälle sind offen. Rufen Sie die Disposition an.',
  'It is open whether the history has it. Ask before you record it again.':
    'Es ist offen, ob der Verlauf ihn hat. Fragen Sie, bevor Sie ihn noch einmal eintragen.',
  'The browser does not permit the position. Allow it for this page in the settings of the browser. Your records are the same without it.':
    'Der Browser erlaubt den Standort nicht. Erlauben Sie ihn für diese Seite in den Einstellungen des Browsers. Ihre Einträge gelten auch ohne ihn.',
  Light: 'Licht',

  Shift: 'Schicht',
  'No network.': 'Kein Netz.',
  'Not sent: {count}': 'Nicht gesendet: {count}',
  'All is sent': 'Alles gesendet',
  'Send now': 'Jetzt senden',
  'Look here: {count}': 'Bitte ansehen: {count}',
  'given to somebody else': 'an andere vergeben',
  'You have no transport now. A new one appears here as soon as you have it.':
    'Sie haben gerade keinen Transport. Ein neuer erscheint hier, sobald Sie ihn haben.',
  'With your position, each record shows where it was made, and the office and the next stop see a circle of 1 km in which you are. It is read only while this page is open.':
    'Mit Ihrem Standort zeigt jeder Eintrag, wo er entstand, und Disposition und nächste Station sehen einen Kreis von 1 km, in dem Sie sind. Er wird nur gelesen, solange diese Seite offen ist.',
  'Allow the position': 'Standort erlauben',
  No: 'Nein',
  'from {time}': 'ab {time}',

  'Not your order': 'Nicht Ihr Auftrag',
  'This phone has no such order of yours.': 'Dieses Telefon hat keinen solchen Auftrag von Ihnen.',
  'Open the map': 'Karte öffnen',
  Call: 'Anrufen:',
  'Call your dispatcher.': 'Rufen Sie die Disposition an.',
  'Pick-up window': 'Zeitfenster der Abholung',
  'at least {value}': 'mindestens {value}',
  'at most {value}': 'höchstens {value}',
  'Required: {method}': 'Erforderlich: {method}',
  'Required at the {stage}': 'Erforderlich bei: {stage}',
  More: 'Mehr',
  'Go on without the arrival': 'Weiter ohne Ankunft',
  'Report an incident': 'Vorfall melden',
  'Transfer to another carrier or driver': 'An andere übergeben (Dienst, Fahrer)',
  'Return the goods': 'Ware zurückgeben',
  'Your records': 'Ihre Einträge',
  'This transport is complete.': 'Dieser Transport ist abgeschlossen.',
  'The office has cancelled this order.': 'Die Disposition hat diesen Auftrag storniert.',
  'The office has given this order to somebody else.':
    'Die Disposition hat diesen Auftrag an andere vergeben.',

  'I have arrived': 'Ich bin angekommen',
  'Start the pick-up': 'Abholung beginnen',
  'Record the seals': 'Siegel eintragen',
  'Record the handover': 'Übergabe eintragen',
  'Start the transport': 'Transport beginnen',
  Deliver: 'Abliefern',
  'Yes, delivered': 'Ja, abgeliefert',
  'You hand over the goods. This cannot be taken back.':
    'Sie geben die Ware ab. Das lässt sich nicht zurücknehmen.',
  'Finish this transport': 'Diesen Transport abschließen',
  'Report the incident': 'Vorfall eintragen',
  'This order has just got another record. Look at it, then press again.':
    'Dieser Auftrag hat gerade einen anderen Eintrag bekommen. Sehen Sie ihn an, dann drücken Sie noch einmal.',
  'Not recorded. Press again.': 'Nicht eingetragen. Drücken Sie noch einmal.',
  'Arrived at the pick-up': 'An der Abholung angekommen',
  'Arrived at the drop-off': 'Am Ziel angekommen',
  'Pick-up started': 'Abholung begonnen',
  'Seals: {seals}': 'Siegel: {seals}',
  'Handover: {stage}': 'Übergabe: {stage}',
  Delivered: 'Abgeliefert',
  Completed: 'Abgeschlossen',
  'Incident: {kind}': 'Vorfall: {kind}',

  Seals: 'Siegel',
  'Seal {number}': 'Siegel {number}',
  'Scan with the camera': 'Mit der Kamera scannen',
  'Enter a seal for each item.': 'Geben Sie für jede Position ein Siegel ein.',
  'Two items have the same seal.': 'Zwei Positionen haben dasselbe Siegel.',
  'Picture of the camera': 'Bild der Kamera',
  'Close the camera': 'Kamera schließen',
  'The camera cannot be used. Allow it in the settings of the browser, or type.':
    'Die Kamera ist nicht nutzbar. Erlauben Sie sie in den Einstellungen des Browsers, oder tippen Sie.',
  'Scan the seals': 'Siegel scannen',
  'Or type a seal': 'Oder Siegel tippen',
  Add: 'Dazu',
  Remove: 'Weg',
  '{seal} is right': '{seal} stimmt',
  '{seal} is not of this order': '{seal} gehört nicht zu diesem Auftrag',
  'Not scanned: {seals}.': 'Nicht gescannt: {seals}.',
  'If you record it so, it is reported as an incident.':
    'Wenn Sie es so eintragen, wird es als Vorfall gemeldet.',
  'All seals are right.': 'Alle Siegel stimmen.',

  Transfer: 'Weitergabe',
  Handover: 'Übergabe',
  'Who takes the goods (carrier or driver)': 'Wer die Ware nimmt (Dienst oder Fahrer)',
  'Who hands them over': 'Wer übergibt',
  'Who receives them': 'Wer annimmt',
  ...{ Role: 'Rolle', 'The person': 'Die Person', name: 'Name' },
  'At least one of these': 'Mindestens eines davon',
  'If you have it, too': 'Falls vorhanden, auch',
  'I have checked the identity': 'Ich habe den Ausweis geprüft',
  'Enter who takes the goods.': 'Geben Sie ein, wer die Ware nimmt.',
  'Enter the name of the person who signs or shows an identity.':
    'Geben Sie den Namen der Person ein, die unterschreibt oder sich ausweist.',
  'Add a code, a signature, a photo, scanned seals or a checked identity.':
    'Fügen Sie einen Code, eine Unterschrift, ein Foto, gescannte Siegel oder eine geprüfte Identität hinzu.',
  Signature: 'Unterschrift',
  'Clear the signature': 'Unterschrift löschen',
  'Take a photo': 'Foto aufnehmen',
  'Take another photo': 'Neues Foto aufnehmen',
  'The photo': 'Das Foto',
  'This photo cannot be read. Take another one.':
    'Dieses Foto ist nicht lesbar. Nehmen Sie ein anderes auf.',
  Incident: 'Vorfall',
  Kind: 'Art',
  Severity: 'Schwere',
  'What happened': 'Was ist geschehen',
  'Write what happened.': 'Schreiben Sie, was geschehen ist.',

  'not sent': 'nicht gesendet',
  sent: 'gesendet',
  'not applied': 'nicht angewendet',
  'not accepted': 'nicht angenommen',
  'The order requires before this step: {methods}.':
    'Der Auftrag verlangt vor diesem Schritt: {methods}.',
  'The office has cancelled the order meanwhile.':
    'Die Disposition hat den Auftrag inzwischen storniert.',
  'The order has moved on meanwhile: {status}.': 'Der Auftrag ist inzwischen weiter: {status}.',
  'The office has given the order to somebody else meanwhile.':
    'Die Disposition hat den Auftrag inzwischen an andere vergeben.',
  'The history has nothing of it. Correct it and record it again, or call.':
    'Im Verlauf steht davon nichts. Berichtigen Sie es und tragen Sie es neu ein, oder rufen Sie an.',
  'Nothing is lost: your record is entry {entry} of the history.':
    'Nichts ist verloren: Ihr Eintrag ist Nummer {entry} des Verlaufs.',

  Driver: 'Fahrer/in',
  Carrier: 'Transportdienst',
  Ends: 'Endet',
  'Extend the shift': 'Schicht verlängern',
  'Record the position': 'Standort eintragen',
  'Record no position': 'Keinen Standort eintragen',
  'End the shift': 'Schicht beenden',
  'Yes, end the shift': 'Ja, Schicht beenden',
  'Not sent: {count}. They stay on this phone, and are sent in your next shift on it.':
    'Nicht gesendet: {count}. Sie bleiben auf diesem Telefon und werden in Ihrer nächsten Schicht darauf gesendet.',
  'This phone forgets the orders. You need a new link to begin again.':
    'Dieses Telefon vergisst die Aufträge. Für einen neuen Beginn brauchen Sie einen neuen Link.',
};
