const { API, KEY } = process.env;

const get = async (url, headers = {}) => {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response;
};
const events = `${API}/events?after=0&limit=100`;
const page = await (await get(events, { Authorization: `Bearer ${KEY}` })).json();

// The log is public. Its newest checkpoint covers at least as much as the one of the page.
const checkpoint = await (await get(new URL('/custody/checkpoint', API))).text();
const size = Number(checkpoint.split('\n')[1]);

/** The hashes of 256 entries, or of as many as the checkpoint covers. */
const readTile = async (index) => {
  const width = Math.min(256, size - index * 256);
  const digits = String(index).padStart(Math.ceil(String(index).length / 3) * 3, '0');
  const groups = digits.match(/.{3}/g);
  const path = groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join('/');
  const partial = width < 256 ? `.p/${width}` : '';
  const tile = await get(new URL(`/custody/tile/entries/${path}${partial}`, API));
  return Buffer.from(await tile.arrayBuffer());
};

const tiles = new Map();
let found = 0;
for (const { number, custody } of page.data) {
  if (custody.leaf_index >= size) continue; // covered by a checkpoint a second later
  const index = Math.floor(custody.leaf_index / 256);
  if (!tiles.has(index)) tiles.set(index, await readTile(index));
  // each entry has two bytes with its length, and the 32 bytes of its hash
  const at = (custody.leaf_index % 256) * 34 + 2;
  const hash = tiles
    .get(index)
    .subarray(at, at + 32)
    .toString('hex');
  if (hash !== custody.event_hash) throw new Error(`event ${number} is not the one of the log`);
  found++;
}
console.log(`${found} of ${page.data.length} events are in the log of ${size} entries`);
