/** German words: see index.ts. */
export const keys = {
  Keys: 'Schlüssel',
  Key: 'Schlüssel',
  Permissions: 'Rechte',
  'The operator issues keys: ask there for a new one, or for other permissions.':
    'Der Betreiber gibt Schlüssel aus: Fragen Sie dort nach einem neuen oder nach anderen Rechten.',
  'read orders': 'Aufträge lesen',
  'create and change orders': 'Aufträge anlegen und ändern',
  'manage endpoints': 'Endpunkte verwalten',
  'rotate keys': 'Schlüssel ersetzen',
  'only from {addresses}': 'nur von {addresses}',
  'Last used': 'Zuletzt benutzt',
  unnamed: 'ohne Namen',
  "this session's": 'der dieser Sitzung',
  Ends: 'Endet',
  replaced: 'ersetzt',
  Rotate: 'Ersetzen',
  'There is no key that this session may see.':
    'Es gibt keinen Schlüssel, den diese Sitzung sehen darf.',
  'Rotate the key': 'Schlüssel ersetzen',
  'A new key with the same rights is shown once. The key {key} ends after the time below.':
    'Ein neuer Schlüssel mit denselben Rechten wird einmal gezeigt. Der Schlüssel {key} endet nach der Zeit unten.',
  'Your session ends with it.': 'Ihre Sitzung endet mit ihm.',
  'The old key works for another': 'Der alte Schlüssel gilt noch',
  '24 hours': '24 Stunden',
  '7 days': '7 Tage',
  '1 minute: it has leaked': '1 Minute: er ist bekannt geworden',
  'No time: it has leaked': 'Gar nicht mehr: er ist bekannt geworden',
  'The new key': 'Der neue Schlüssel',
  'Store it now. Nobody can show it again.':
    'Speichern Sie ihn jetzt. Niemand kann ihn noch einmal zeigen.',
  sandbox: 'Sandbox',
  production: 'Produktion',
  'There is no page {path}. It may have been moved, or the address is not complete.':
    'Es gibt keine Seite {path}. Vielleicht ist sie umgezogen, oder die Adresse ist nicht vollständig.',
  'These pages exist:': 'Diese Seiten gibt es:',
  'A part of your reference': 'Ein Teil Ihrer Referenz',
  'No newer order has it. Search the older ones below.':
    'Kein neuerer Auftrag hat ihn. Suchen Sie unten in den älteren.',
  'No order has this in its reference.': 'Kein Auftrag hat dies in seiner Referenz.',
};
