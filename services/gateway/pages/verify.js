/** The page's own part: shows a file's verdict, and the chain it is about. All judging is imported. */
import { verifyProof } from './src/index.ts';

const byId = (id) => document.getElementById(id);

/** An element with text; never markup, as a proof file may be anybody's. */
const element = (tag, text, className = '') => {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = className;
  return made;
};

const findings = (verdict) => {
  const { log } = verdict;
  return [
    `${verdict.entries} entries of order ${verdict.orderId}, each linked to the one before`,
    `Head: ${verdict.head}`,
    ...(log
      ? [
          `The last entry is leaf ${log.leafIndex} of the log ${log.origin}`,
          `Checkpoint over ${log.treeSize} leaves, root ${log.root}`,
          `Key: ${log.key} (${log.keyFrom === 'caller' ? 'the one you gave' : 'brought by the file'})`,
        ]
      : []),
    ...verdict.remarks,
  ];
};

/** The entries as far as the file shows any; what it holds besides is the verifier's to judge. */
const entriesOf = (text) => {
  try {
    const { entries } = JSON.parse(text);
    return Array.isArray(entries) ? entries : [];
  } catch {
    return [];
  }
};

/** Links before the fault are green, the broken one is red, and nothing is known of those after. */
const draw = (entries, verdict) => {
  const broken = verdict.valid ? Number.POSITIVE_INFINITY : (verdict.index ?? -1);
  const items = entries.slice(0, 1000).map((entry, n) => {
    const state = n < broken ? 'good' : n === broken ? 'bad' : 'unknown';
    const item = element('li', '', verdict.valid || broken >= 0 ? state : 'unknown');
    const link = { good: '✓ linked', bad: '✗ broken', unknown: 'not judged' };
    item.append(
      element('div', `${n + 1}. ${entry?.type} · ${entry?.ts_utc}`),
      element('div', String(entry?.event_hash), 'hash'),
      element(
        'span',
        n === broken ? `${link.bad}: ${verdict.reason}` : link[item.className],
        'link',
      ),
    );
    return item;
  });
  byId('chain').replaceChildren(...items);
};

const show = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const key = byId('key').value.trim();
  const verdict = await verifyProof(bytes, key === '' ? {} : { trustedKeys: [key] });
  const headline = byId('headline');
  headline.textContent = verdict.valid ? 'Valid' : 'Not valid';
  headline.className = verdict.valid ? 'good' : 'bad';
  const lines = verdict.valid ? findings(verdict) : [`${verdict.at}: ${verdict.reason}`];
  byId('findings').replaceChildren(...lines.map((line) => element('li', line, 'hash')));
  draw(entriesOf(new TextDecoder().decode(bytes)), verdict);
  byId('verdict').hidden = false;
};

let chosen;
const judge = (file) => {
  chosen = file ?? chosen;
  if (chosen) show(chosen);
};

byId('file').addEventListener('change', ({ target }) => judge(target.files[0]));
byId('key').addEventListener('change', () => judge());
byId('form').addEventListener('submit', (event) => event.preventDefault());
const drop = byId('drop');
for (const name of ['dragover', 'dragleave', 'drop'])
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name === 'drop') judge(event.dataTransfer.files[0]);
  });
