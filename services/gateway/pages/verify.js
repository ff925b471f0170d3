/**
 * Runs the page's controls: reads the keys and the chosen file, and shows the verdict on the file.
 */
import { certifiedHead } from './certificate.ts';
import { element } from './element.js';
import { parseVkey } from './src/note/vkey.ts';
import { verifyProof } from './src/proof/verify-proof.ts';
import { drawInvalid, drawVerdict } from './verdict.js';

const byId = (id) => document.getElementById(id);

/** The keys of this deployment's log, or null if the gateway could not load them. */
const embedded = JSON.parse(byId('trusted-keys').textContent);
const certified = certifiedHead(location.hash);
const bytesMax = 100_000_000;

const describeKeys = () => {
  if (!embedded)
    return 'The keys of this log could not be loaded. Reload this page, or enter a key that you trust: until then nothing can be proven.';
  const names = embedded.keys.map(({ vkey, valid_until: until }) => {
    const name = vkey.split('+').slice(0, 2).join('+');
    return until === null ? name : `${name} (until ${until})`;
  });
  const trusted = `Trusted keys of this log: ${names.join(', ')}.`;
  return embedded.unread
    ? `${trusted} The keys of ${embedded.unread.join(', ')} could not be loaded: reload this page, or enter a key that you trust.`
    : trusted;
};

/**
 * Returns the keys to trust. Returns null if the reader's key is malformed; the field then shows
 * the reason.
 */
const trustedKeys = () => {
  const typed = byId('key').value.trim();
  let fault = '';
  try {
    if (typed !== '') parseVkey(typed);
  } catch (error) {
    fault = `This is not a key: ${error.message}.`;
  }
  byId('key-fault').textContent = fault;
  byId('key').setAttribute('aria-invalid', String(fault !== ''));
  return fault ? null : [...(embedded?.keys ?? []), ...(typed === '' ? [] : [typed])];
};

const clear = () => {
  byId('verdict').hidden = true;
  byId('verdict').replaceChildren();
};

const show = (parts) => {
  byId('verdict').replaceChildren(...parts);
  byId('verdict').hidden = false;
  byId('progress').textContent = '';
};

/**
 * Counts the runs. Each run clears the verdict of the run before it; a run shows nothing if a later
 * run has started.
 */
let runs = 0;
const run = async (file) => {
  const own = ++runs;
  clear();
  byId('progress').textContent = '';
  const keys = trustedKeys();
  if (!keys || !file) return;
  byId('progress').textContent = `Judging ${file.name.slice(0, 100)} …`;
  try {
    if (file.size > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const seen = certified ? { head: certified } : {};
    const verdict = await verifyProof(bytes, { trustedKeys: keys, seen });
    if (own === runs) show(drawVerdict(verdict, new TextDecoder().decode(bytes)));
  } catch (error) {
    if (own === runs) show(drawInvalid(`the file could not be read or shown: ${error}`));
  }
};

let chosen;
const judge = (file) => {
  chosen = file ?? chosen;
  return run(chosen);
};

byId('progress').textContent = '';
byId('embedded').textContent = describeKeys();
byId('embedded').className = embedded ? '' : 'fault';
if (certified)
  byId('certified').append(
    'From the certificate: the history must have as entry ',
    `${certified.sequence} the one with the hash `,
    element('code', certified.hash),
    '.',
  );
byId('file').addEventListener('change', ({ target }) => judge(target.files[0]));
// chosen while this script was loading
if (byId('file').files.length > 0) judge(byId('file').files[0]);
byId('key').addEventListener('change', () => judge());
byId('form').addEventListener('submit', (event) => event.preventDefault());
window.addEventListener('hashchange', () => location.reload());
const drop = byId('drop');
for (const name of ['dragover', 'dragleave', 'drop'])
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('over', name === 'dragover');
    if (name === 'drop') judge(event.dataTransfer.files[0]);
  });
