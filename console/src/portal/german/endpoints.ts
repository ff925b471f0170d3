/** German words: see index.ts. */
export const endpoints = {
  // endpoints
  Endpoint: 'Endpunkt',
  'Add an endpoint': 'Endpunkt hinzufügen',
  Add: 'Hinzufügen',
  'There is no webhook endpoint.': 'Es gibt keinen Webhook-Endpunkt.',
  URL: 'URL',
  Status: 'Status',
  Id: 'Kennung',
  Events: 'Ereignisse',
  all: 'alle',
  'Failed attempts in a row': 'Gescheiterte Versuche in Folge',
  'Last error': 'Letzter Fehler',
  'Last success': 'Letzter Erfolg',
  'Public, with https. We send GET with a nonce at once, which the receiver returns.':
    'Öffentlich, mit https. Wir senden sofort GET mit einer Nonce, die der Empfänger zurückgibt.',
  'All events, also those that are added later': 'Alle Ereignisse, auch später hinzukommende',
  'Example of {event}': 'Beispiel für {event}',
  'The signing secret': 'Das Signaturgeheimnis',
  'Give it to your receiver, which verifies each request with it. Nobody can show it again.':
    'Geben Sie es Ihrem Empfänger, der damit jede Anfrage prüft. Niemand kann es noch einmal zeigen.',
  'Nobody can show it again.': 'Niemand kann es noch einmal zeigen.',
  // commands
  Test: 'Testen',
  'A signed test request is sent to the endpoint now.':
    'Eine signierte Testanfrage wird jetzt an den Endpunkt gesendet.',
  'Delivered: {answer}.': 'Zugestellt: {answer}.',
  'Not delivered: {answer}.': 'Nicht zugestellt: {answer}.',
  Verify: 'Prüfen',
  'The handshake is repeated. If it passes, deliveries go on.':
    'Der Handshake wird wiederholt. Besteht er, gehen die Zustellungen weiter.',
  'Verified.': 'Geprüft.',
  'Not verified.': 'Nicht geprüft.',
  Enable: 'Einschalten',
  'Deliveries go on from now. Recover queues what was missed.':
    'Die Zustellungen gehen ab jetzt weiter. „Nachholen“ reiht Versäumtes ein.',
  'Enabled.': 'Eingeschaltet.',
  Disable: 'Abschalten',
  'Nothing is delivered until the endpoint is enabled again. Its queued deliveries end.':
    'Nichts wird zugestellt, bis der Endpunkt wieder eingeschaltet ist. Seine wartenden Zustellungen enden.',
  'Disabled.': 'Abgeschaltet.',
  Delete: 'Löschen',
  'Nothing is sent to it any more, and its secret ends. Its deliveries stay visible on their orders for 30 days.':
    'Nichts wird mehr an ihn gesendet, und sein Geheimnis endet. Seine Zustellungen bleiben 30 Tage bei ihren Aufträgen sichtbar.',
  Change: 'Ändern',
  'Change the endpoint': 'Endpunkt ändern',
  Save: 'Speichern',
  'Changed.': 'Geändert.',
  'Rotate the secret': 'Geheimnis wechseln',
  'A new signing secret is shown once. Without it, the receiver rejects deliveries after the current one has ended. If no answer comes, rotate again.':
    'Ein neues Signaturgeheimnis wird einmal gezeigt. Ohne es weist der Empfänger Zustellungen ab, sobald das jetzige geendet hat. Kommt keine Antwort, wechseln Sie noch einmal.',
  'The current secret also signs for': 'Das jetzige Geheimnis signiert noch',
  'The new secret': 'Das neue Geheimnis',
  'The secret was rotated. The one before signs until {time}.':
    'Das Geheimnis wurde gewechselt. Das vorige signiert bis {time}.',
  Recover: 'Nachholen',
  'Events of this span that were not delivered are queued again: failed deliveries, and what was missed while the endpoint was broken or disabled.':
    'Nicht zugestellte Ereignisse dieser Zeit werden wieder eingereiht: gescheiterte Zustellungen und was versäumt wurde, während der Endpunkt ausgefallen oder abgeschaltet war.',
  'Since (UTC)': 'Ab (UTC)',
  'Until (UTC)': 'Bis (UTC)',
  'Empty: until now.': 'Leer: bis jetzt.',
  'Also attempt now what waits for a retry':
    'Auch jetzt versuchen, was auf eine Wiederholung wartet',
  '{queued} events queued, up to {until}': '{queued} Ereignisse eingereiht, bis {until}',
  '1 event queued.': '1 Ereignis eingereiht.',
  '{queued} events queued.': '{queued} Ereignisse eingereiht.',
  '{retried} pending attempted.': '{retried} wartende versucht.',
  // examples
  'Send an example': 'Beispiel senden',
  'It is sent once, signed, and marked as a test: data.test is true, and its order does not exist.':
    'Es wird einmal gesendet, signiert und als Test gekennzeichnet: data.test ist true, und seinen Auftrag gibt es nicht.',
  Event: 'Ereignis',
  'Send this example': 'Dieses Beispiel senden',
  'Order submitted and created in the system': 'Auftrag erteilt und im System angelegt',
  'Order assigned to a transport organization': 'Auftrag einem Transportunternehmen zugewiesen',
  'Transport organization accepted the order': 'Transportunternehmen hat den Auftrag angenommen',
  'A driver was assigned': 'Ein Fahrer wurde zugewiesen',
  'Pickup at the pickup location began': 'Die Abholung am Abholort hat begonnen',
  'Goods sealed and the seal documented': 'Ware versiegelt und das Siegel dokumentiert',
  'Transport under way to the drop-off': 'Transport unterwegs zum Lieferort',
  'Order delivered': 'Auftrag geliefert',
  'Order completed': 'Auftrag abgeschlossen',
  'Order data changed': 'Daten des Auftrags geändert',
  'An incident was reported for the order': 'Zum Auftrag wurde ein Vorfall gemeldet',
  'The order was escalated': 'Der Auftrag wurde eskaliert',
  'Sample event sent by the test operation': 'Beispiel, das die Testanfrage sendet',
  // handshake
  Handshake: 'Handshake',
  'The handshake runs: the receiver has 10 seconds to return the nonce.':
    'Der Handshake läuft: Der Empfänger hat 10 Sekunden, um die Nonce zurückzugeben.',
  'The address is accepted, and it connects': 'Die Adresse ist zulässig und verbindet',
  'The certificate is trusted': 'Dem Zertifikat wird vertraut',
  'The request is sent, and the response is 2xx': 'Die Anfrage ist gesendet, die Antwort ist 2xx',
  'The response is the nonce': 'Die Antwort ist die Nonce',
  yes: 'ja',
  no: 'nein',
  'not reached': 'nicht erreicht',
  'The handshake passed.': 'Der Handshake ist bestanden.',
  'The handshake failed.': 'Der Handshake ist gescheitert.',
  'The URL is not verified, and gets no events.':
    'Die URL ist nicht geprüft und erhält keine Ereignisse.',
  // advice
  'The connection ended early, or the bytes are no HTTP response: look at the proxy in front of the receiver.':
    'Die Verbindung endete zu früh, oder die Bytes sind keine HTTP-Antwort: Sehen Sie den Proxy vor dem Empfänger an.',
  'The receiver rejects the signature: give it the secret of this endpoint, let it verify the raw body, and remove any other authentication.':
    'Der Empfänger weist die Signatur ab: Geben Sie ihm das Geheimnis dieses Endpunkts, lassen Sie ihn den unveränderten Body prüfen, und entfernen Sie jede andere Anmeldung.',
  'The receiver finds the signature too old or too new: its clock is wrong by more than 5 minutes.':
    'Dem Empfänger ist die Signatur zu alt oder zu neu: Seine Uhr geht um mehr als 5 Minuten falsch.',
  'The receiver has no secret: give it the secret of this endpoint.':
    'Der Empfänger hat kein Geheimnis: Geben Sie ihm das Geheimnis dieses Endpunkts.',
  'No connection within 3 seconds: check the DNS entry, the firewall and the port. The address must be public.':
    'Keine Verbindung innerhalb von 3 Sekunden: Prüfen Sie DNS-Eintrag, Firewall und Port. Die Adresse muss öffentlich sein.',
  'No trusted certificate for this host, or the receiver rejects our client certificate: renew it, and send the intermediate certificates, too.':
    'Kein vertrauenswürdiges Zertifikat für diesen Host, oder der Empfänger weist unser Client-Zertifikat ab: Erneuern Sie es, und senden Sie auch die Zwischenzertifikate.',
  'No complete response within 10 seconds: respond before you do any work.':
    'Keine vollständige Antwort innerhalb von 10 Sekunden: Antworten Sie, bevor Sie etwas verarbeiten.',
  'Redirects are not followed: register the URL that the redirect names.':
    'Weiterleitungen wird nicht gefolgt: Tragen Sie die URL ein, die die Weiterleitung nennt.',
  'The response to the GET must be 2xx: compare the URL with the routes of the receiver, and remove any login in front of it.':
    'Die Antwort auf GET muss 2xx sein: Vergleichen Sie die URL mit den Routen des Empfängers, und entfernen Sie jede Anmeldung davor.',
  'The response is not the nonce: return exactly the value of the parameter verification.':
    'Die Antwort ist nicht die Nonce: Geben Sie genau den Wert des Parameters verification zurück.',
  'The response repeats more of the request than the nonce: return the value of verification alone.':
    'Die Antwort wiederholt mehr von der Anfrage als die Nonce: Geben Sie nur den Wert von verification zurück.',
  'We could not send the request. Try again later.':
    'Wir konnten die Anfrage nicht senden. Versuchen Sie es später noch einmal.',
  'The result was lost on our side. The attempt is repeated.':
    'Das Ergebnis ging bei uns verloren. Der Versuch wird wiederholt.',
  'A rehearsal of the sandbox sends the delivery again.':
    'Eine Probe der Sandbox sendet die Zustellung noch einmal.',
  'The receiver takes no POST at this path: compare the URL with its routes.':
    'Der Empfänger nimmt unter diesem Pfad kein POST an: Vergleichen Sie die URL mit seinen Routen.',
  'The receiver limits bodies too much: accept 64 KiB.':
    'Der Empfänger begrenzt den Body zu sehr: Nehmen Sie 64 KiB an.',
  'The receiver limits requests: it must accept all events. They are sent again.':
    'Der Empfänger begrenzt Anfragen: Er muss alle Ereignisse annehmen. Sie werden noch einmal gesendet.',
  'The receiver rejects the request: its log says why.':
    'Der Empfänger weist die Anfrage ab: Sein Protokoll sagt, warum.',
  'The receiver failed: look into its log at this time.':
    'Der Empfänger ist gescheitert: Sehen Sie in sein Protokoll zu dieser Zeit.',
  // metrics and deliveries
  'pending verification': 'nicht geprüft',
  enabled: 'aktiv',
  disabled: 'abgeschaltet',
  broken: 'ausgefallen',
  failing: 'scheitert',
  pending: 'wartend',
  exhausted: 'gescheitert',
  'All events': 'Alle Ereignisse',
  'None is here.': 'Hier ist keine.',
  More: 'Mehr',
  'The URL and the events.': 'Die URL und die Ereignisse.',
  'What was missed between two times is sent again.':
    'Was zwischen zwei Zeiten versäumt wurde, wird noch einmal gesendet.',
  'A new signing secret is shown once. The current one signs for a while, too.':
    'Ein neues Signaturgeheimnis wird einmal gezeigt. Das jetzige signiert noch eine Weile.',
  'deliveries stop {time} (broken)': 'Zustellungen enden {time} (ausgefallen)',
  'Nothing is sent until the endpoint is enabled again.':
    'Es wird nichts gesendet, bis der Endpunkt wieder eingeschaltet ist.',
  'It is broken, and nothing is sent. Repair the receiver, then verify it here.':
    'Er ist ausgefallen, und es wird nichts gesendet. Reparieren Sie den Empfänger, dann prüfen Sie ihn hier.',
  'the last event arrived {time}': 'das letzte Ereignis kam {time} an',
  'no event has arrived yet': 'noch kein Ereignis ist angekommen',
  'All is well: {success}.': 'Alles in Ordnung: {success}.',
  'Attempts fail, {count} in a row; {success}.':
    'Versuche scheitern, {count} nacheinander; {success}.',
  'Deliveries stop {time}: the endpoint is then broken.':
    'Zustellungen enden {time}: Der Endpunkt ist dann ausgefallen.',
  '{delivered} delivered, {failed} failed, {pending} pending.':
    '{delivered} zugestellt, {failed} gescheitert, {pending} wartend.',
  'The last 7 days': 'Die letzten 7 Tage',
  'Day (UTC)': 'Tag (UTC)',
  Deliveries: 'Zustellungen',
  Delivered: 'Zugestellt',
  Failed: 'Gescheitert',
  Pending: 'Wartend',
  '95 % of attempts within': '95 % der Versuche innerhalb von',
  none: 'keine',
  State: 'Zustand',
  Response: 'Antwort',
  Queued: 'Eingereiht',
  Actions: 'Aktionen',
  '{count} attempts': '{count} Versuche',
  'What was sent': 'Was gesendet wurde',
  Replay: 'Noch einmal senden',
  'Replay all failed': 'Alle gescheiterten noch einmal senden',
  'Replay the delivery': 'Zustellung noch einmal senden',
  'The same {event} is sent again, as a new delivery.':
    'Dasselbe {event} wird noch einmal gesendet, als neue Zustellung.',
  'Nothing was sent yet.': 'Es wurde noch nichts gesendet.',
  // deliveries of an order
  'Loading Deliveries': 'Zustellungen werden geladen',
  'Deliveries to {address}': 'Zustellungen an {address}',
  '{delivered} of {events}': '{delivered} von {events}',
  '{delivered} of {events} events': '{delivered} von {events} Ereignissen',
  'last {time}': 'zuletzt {time}',
  'next attempt {time}': 'nächster Versuch {time}',
  'endpoint deleted {time}': 'Endpunkt gelöscht {time}',
  'Send again': 'Noch einmal senden',
  '{count} sent again': '{count} noch einmal gesendet',
  'The order has more; these are the newest.': 'Der Auftrag hat mehr; dies sind die neuesten.',
  'Nothing was sent for this order: it is a draft, without an event.':
    'Zu diesem Auftrag wurde nichts gesendet: Er ist ein Entwurf ohne Ereignis.',
  'Deliveries are stored for 30 days, and the last event of this order is older.':
    'Zustellungen werden 30 Tage gespeichert, und das letzte Ereignis dieses Auftrags ist älter.',
  'Nothing was sent for this order: no endpoint that was verified and enabled at the time of its events subscribed to them.':
    'Zu diesem Auftrag wurde nichts gesendet: Kein Endpunkt, der zur Zeit seiner Ereignisse geprüft und eingeschaltet war, hatte sie bestellt.',
};
