/** German words: see index.ts. */
export const frame = {
  Portal: 'Portal',
  Orders: 'Aufträge',
  Requests: 'Anfragen',
  Endpoints: 'Endpunkte',
  Pages: 'Seiten',
  Menu: 'Menü',
  Shortcuts: 'Tastenkürzel',
  'These shortcuts': 'Diese Tastenkürzel',
  'Search orders': 'Aufträge suchen',
  'Skip to content': 'Zum Inhalt',
  'Sign out': 'Abmelden',
  'Your session ends, and the link with which you came does not open another one.':
    'Ihre Sitzung endet, und der Link, mit dem Sie kamen, öffnet keine weitere.',
  'read only': 'nur lesend',
  ends: 'endet',
  'Not found': 'Nicht gefunden',
  'There is no page {path}.': 'Es gibt keine Seite {path}.',
  'Go to the first page': 'Zur ersten Seite',

  'You have no session here, or it has ended. Open the portal by a link from your organization or the operator. A link works once; one that you have not used yet still works: open it again.':
    'Sie haben hier keine Sitzung, oder sie ist beendet. Öffnen Sie das Portal über einen Link Ihrer Organisation oder des Betreibers. Ein Link gilt einmal; einer, den Sie noch nicht benutzt haben, gilt noch: Öffnen Sie ihn noch einmal.',
  'Orders, custody and deliveries of your organization.':
    'Aufträge, Übergaben und Zustellungen Ihrer Organisation.',
  'No answer. Press the button again within a minute: the link still works here.':
    'Keine Antwort. Drücken Sie innerhalb einer Minute noch einmal: Der Link gilt hier noch.',
  'Open the portal': 'Portal öffnen',

  Close: 'Schließen',
  Back: 'Zurück',
  'Wait …': 'Warten …',
  Copy: 'Kopieren',
  Copied: 'Kopiert',
  Loading: 'Wird geladen',
  Newest: 'Neueste',
  Older: 'Ältere',
  Status: 'Status',
  never: 'nie',
  none: 'keine',
  'just now': 'gerade eben',

  'No answer.': 'Keine Antwort.',
  'No answer. The portal tries again.': 'Keine Antwort. Das Portal versucht es weiter.',
  'The portal tries again.': 'Das Portal versucht es weiter.',
  'Data of': 'Daten von',
  'No answer. It may have been done.': 'Keine Antwort. Es kann geschehen sein.',
  'Press again: it is done once.': 'Drücken Sie noch einmal: Es geschieht nur einmal.',
  'Close this and look before you try again.':
    'Schließen Sie das Fenster und sehen Sie nach, bevor Sie es noch einmal versuchen.',
  'The command that got no answer has been done, with other fields. Close this and look.':
    'Der Befehl ohne Antwort ist mit anderen Angaben geschehen. Schließen Sie das Fenster und sehen Sie nach.',
  'The address of this page has a wrong part. Open the page from the menu.':
    'Die Adresse dieser Seite ist nicht richtig. Öffnen Sie die Seite über das Menü.',
  'If it stays so, quote the request id:': 'Wenn es so bleibt, nennen Sie die Anfrage-ID:',
  'If it stays so, report it with the request id:':
    'Wenn es so bleibt, melden Sie es mit der Anfrage-ID:',
  'Try again': 'Noch einmal versuchen',
  'This page cannot be shown': 'Diese Seite kann nicht gezeigt werden',
  'Reload it, or go to {home}.': 'Laden Sie sie neu, oder gehen Sie zur {home}.',
  'the start page': 'Startseite',
  Reload: 'Neu laden',

  At: 'Zeit',
  Request: 'Anfrage',
  Error: 'Fehler',
  Age: 'Alter',
  Took: 'Dauer',
  'Request id': 'Anfrage-ID',
  'Request id, whole': 'Anfrage-ID, ganz',
  Validation: 'Prüfung der Angaben',
  requires: 'verlangt',
  'and {count} more in this minute': 'und {count} weitere in dieser Minute',
  'No such request in the last 7 days.': 'Keine solche Anfrage in den letzten 7 Tagen.',
  'The client disconnected before the response.':
    'Das Programm hat die Verbindung vor der Antwort beendet.',
  'Rejected (4xx)': 'Abgelehnt (4xx)',
  'Beyond a limit (429)': 'Über einer Grenze (429)',
  'Disconnected (499)': 'Verbindung beendet (499)',
  'Failed (5xx)': 'Fehlgeschlagen (5xx)',
  'Successful (2xx)': 'Erfolgreich (2xx)',
};
