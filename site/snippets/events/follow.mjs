import { readFile, rename, writeFile } from 'node:fs/promises';

const stateFile = 'last-event.txt';
let after = (await readFile(stateFile, 'utf8').catch(() => '')) || '0';

/** Returns the events after a number; waits up to 25 s for one. */
const page = async () => {
  const query = new URLSearchParams({ after, limit: '100', wait: '25' });
  const response = await fetch(`${process.env.API}/events?${query}`, {
    headers: { Authorization: `Bearer ${process.env.KEY}` },
    signal: AbortSignal.timeout(50_000),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
};

while (true) {
  try {
    const { data, next_after } = await page();
    for (const { number, event, data: about } of data)
      console.log(`${number} ${event} ${about.order.id} ${about.order.status}`);
    after = `${next_after}`;
    await writeFile(`${stateFile}.next`, after); // only after every event was processed
    await rename(`${stateFile}.next`, stateFile); // complete or not at all
    if (data.length > 0) continue;
  } catch (error) {
    console.error(error.message);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
