/** Draws a verdict: its sentences, the details, the history, and the QR code of the certificate. */
import encodeQR from 'qr';
import { certificateUrl, modulesPath } from './certificate.ts';
import { describeHistory } from './describe-history.ts';
import { element } from './element.js';
import { shownText } from './shown-text.ts';

const looks = {
  proven: {
    icon: '✓',
    print: 'Custody certificate',
    history: 'Who had the goods when',
  },
  consistent: {
    icon: '!',
    print: 'Custody history, not proven',
    history: 'Who had the goods when, according to this file',
  },
  invalid: {
    icon: '✗',
    print: 'Custody history, invalid',
    history: 'What the invalid file states',
  },
};
const rowsMax = 1000;

/**
 * Returns the elements that show a verdict. `text` is the proof file, which may have any content.
 */
export const drawVerdict = (verdict, text) => {
  const { entries, order } = shownFile(text);
  const rows = entries.slice(0, rowsMax);
  return [
    banner(verdict),
    details(verdict, order),
    ...(rows.length > 0 ? [history(rows, verdict)] : []),
    ...(entries.length > rowsMax
      ? [element('p', `Only the first ${rowsMax} of ${entries.length} entries are shown.`)]
      : []),
    ...(verdict.verdict === 'invalid' ? [] : [certificate(verdict)]),
  ];
};

/** Returns the elements that show that a file could not be judged. */
export const drawInvalid = (reason) => [
  banner({
    verdict: 'invalid',
    headline: `Invalid: ${shownText(reason)}.`,
    limit: 'An invalid file proves nothing about the order.',
  }),
];

/** Reads the entries and the order id from the file; empty values if the file is not readable. */
const shownFile = (text) => {
  try {
    const { entries, order_id: order } = JSON.parse(text);
    return { entries: Array.isArray(entries) ? entries : [], order: shownText(order) };
  } catch {
    return { entries: [], order: '' };
  }
};

const banner = ({ verdict, headline, limit }) => {
  const { icon, print } = looks[verdict];
  const mark = element('span', icon, 'icon');
  mark.setAttribute('aria-hidden', 'true');
  const title = element('h2', shownText(headline));
  title.id = 'headline';
  const words = element('div', [title, element('p', shownText(limit))]);
  const box = element('div', [mark, words], `banner ${verdict}`);
  box.setAttribute('role', 'status');
  return element('div', [element('p', print, 'print title'), box]);
};

const details = (verdict, order) => {
  const pairs =
    verdict.verdict === 'invalid'
      ? [
          ['Order in the file', order],
          ['Place of the fault', placeOf(verdict)],
          ['Reason', verdict.reason],
        ]
      : [
          ['Order', verdict.orderId],
          ['Entries', verdict.entries],
          ['Head hash', verdict.head],
          ...logPairs(verdict),
        ];
  const rows = pairs.map(([name, value]) =>
    element('div', [element('dt', name), element('dd', shownText(value))]),
  );
  return element('dl', rows);
};

const placeOf = ({ at, index, entryId }) =>
  index === undefined ? at : `entry ${index + 1}${entryId ? ` (${entryId})` : ''}`;

const logPairs = ({ log, completeness }) => {
  const signed = log ?? completeness;
  if (!signed) return [['Checkpoint', 'none']];
  const { signer, key } = signed;
  return [
    ...(log
      ? [
          ['Log', `${log.origin}, leaf ${log.leafIndex}`],
          ['Checkpoint', `${log.treeSize} leaves, root ${log.root}`],
        ]
      : []),
    ...(completeness
      ? [['Order index', `checkpoint ${completeness.treeSize}, root ${completeness.root}`]]
      : []),
    [signer === 'trusted' ? 'Trusted key' : 'Unknown key', key ?? 'not checked'],
  ];
};

/**
 * Draws the table of entries. In an invalid file, entries before the invalid one are linked; later
 * entries are not judged.
 */
const history = (entries, verdict) => {
  const fault = verdict.verdict === 'invalid' ? (verdict.index ?? -1) : entries.length;
  const rows = describeHistory(entries).map((entry, n) => row(entry, n, linkOf(n, fault)));
  const names = ['#', 'Time', 'Event', 'Goods with', 'Hash'];
  const head = names.map((name) => {
    const cell = element('th', name);
    cell.scope = 'col';
    return cell;
  });
  return element('section', [
    element('h3', looks[verdict.verdict].history),
    element('table', [element('thead', [element('tr', head)]), element('tbody', rows)]),
  ]);
};

const linkOf = (n, fault) => {
  if (n === fault) return { state: 'broken', word: '✗ does not fit' };
  return n < fault ? { state: 'linked', word: '' } : { state: 'unknown', word: '? not judged' };
};

const row = ({ time, title, facts, holder, hash }, n, { state, word }) => {
  const lines = facts.map(({ label, value }) => element('div', `${label}: ${value}`, 'fact'));
  const marks = word === '' ? [] : [element('div', word, 'link')];
  const cells = [
    element('td', String(n + 1), 'number'),
    element('td', time, 'time'),
    element('td', [element('strong', title), ...lines, ...marks], 'event'),
    element('td', state === 'linked' ? holder : 'not shown', 'holder'),
    element('td', [element('code', hash)], 'hash'),
  ];
  return element('tr', cells, state);
};

const certificate = ({ entries, head }) => {
  const url = certificateUrl(location.href, { sequence: entries, hash: head });
  const button = element('button', 'Print', 'screen');
  button.type = 'button';
  button.addEventListener('click', () => window.print());
  return element(
    'section',
    [
      qrCode(url),
      element('div', [
        element('p', 'The code opens the page that judges the proof file, with this head hash:'),
        element('p', [element('code', url)]),
        element('p', 'The proof file itself is the evidence. Keep it with this page.'),
        button,
      ]),
    ],
    'certificate',
  );
};

const qrCode = (text) => {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('viewBox', `0 0 ${modules.length} ${modules.length}`);
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', 'QR code of the address beside it');
  picture.setAttribute('class', 'qr');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', modulesPath(modules));
  picture.append(path);
  return picture;
};
