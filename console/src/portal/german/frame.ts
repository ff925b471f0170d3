/** German words of the portal and of the driver's page: see index.ts. */
export const frame = {
  Pages: 'Seiten',

  'Press the button again within a minute: the link still works here.':
    'Drücken Sie innerhalb einer Minute noch einmal: Der Link gilt hier noch.',

  Back: 'Zurück',
  'Wait …': 'Warten …',
  Copy: 'Kopieren',
  Copied: 'Kopiert',
  never: 'nie',
  '{time} ago': 'vor {time}',
  'in {time}': 'in {time}',
  '{time} late': '{time} verspätet',
  '1 day ago': 'vor 1 Tag',
  '{count} days ago': 'vor {count} Tagen',
  'in 1 day': 'in 1 Tag',
  'in {count} days': 'in {count} Tagen',
  '1 day': '1 Tag',
  '{count} days': '{count} Tage',
  'just now': 'gerade eben',

  'No answer.': 'Keine Antwort.',
  'Check the network; the page tries again.': 'Prüfen Sie das Netz; die Seite versucht es weiter.',
  'Too many requests.': 'Zu viele Anfragen.',
  'Wait a minute, then try again.': 'Warten Sie eine Minute, dann versuchen Sie es noch einmal.',
  'The server is busy or being updated.': 'Der Server ist ausgelastet oder wird erneuert.',
  'Nothing is lost. Wait a minute.': 'Nichts ist verloren. Warten Sie eine Minute.',
  'The server has an error.': 'Der Server hat einen Fehler.',
  'Try again.': 'Versuchen Sie es noch einmal.',
  'If it stays so, report it with the request id:':
    'Wenn es so bleibt, melden Sie es mit der Anfrage-ID:',
  'Try again': 'Noch einmal versuchen',
  'This page cannot be shown': 'Diese Seite kann nicht gezeigt werden',
  'Reload it, or go to {home}.': 'Laden Sie sie neu, oder gehen Sie zur {home}.',
  'the start page': 'Startseite',
  Reload: 'Neu laden',
};
