/**
 * Appends to the ledger, chain and log, one order event each: with proofs of origin and signed
 * checkpoints that carry the order index (decisions 52 and 55) against without, and at a million
 * leaves against ten thousand. `node bench/append-entries.ts`; LEAVES sets the larger size,
 * EVENTS_PER_ORDER how many events each order has (1, a divisor of 8192).
 *
 * `BEFORE=FOLDER node bench/append-entries.ts` compares all of it with the code of another commit,
 * which FOLDER has checked out, in the same run: with all that an append included then. At f3ad1ab
 * these were chain, log and checkpoints signed every second, without proofs of origin and without
 * the index. `append/ledger-code.ts` says how to make FOLDER.
 */
import { ledgerWith } from './append/ledger.ts';
import { codeOf, present } from './append/ledger-code.ts';
import { compare } from './measuring/ratio.ts';
import { withStores } from './with-stores.ts';

const [small, large] = [10_000, Number(process.env.LEAVES ?? 1_000_000)];
const folder = process.env.BEFORE;
const named = (what: string, leaves: number) => `${what} at ${leaves.toLocaleString('en')} leaves`;

const plain = (leaves: number) =>
  ledgerWith(present, leaves, { authenticated: false, signed: false });
const authenticated = (leaves: number) =>
  ledgerWith(present, leaves, { authenticated: true, signed: false });
const complete = (leaves: number) =>
  ledgerWith(present, leaves, { authenticated: true, signed: true });

/** Measures a ledger against one that stays open. */
const against = async (
  theirs: { ledger: Awaited<ReturnType<typeof plain>>; name: string },
  what: string,
  ours: { ledger: Awaited<ReturnType<typeof plain>>; name: string },
) => {
  await compare(what, ours.ledger.side(ours.name), theirs.ledger.side(theirs.name));
  await ours.ledger.close();
};

const compareParts = async () => {
  const base = { ledger: await plain(small), name: named('plain', small) };
  await against(base, 'appends with proofs of origin', {
    ledger: await authenticated(small),
    name: named('authenticated', small),
  });
  for (const leaves of new Set([small, large])) {
    const ledger = await complete(leaves);
    await against(base, 'appends with all of it', { ledger, name: named('complete', leaves) });
  }
  await base.ledger.close();
};

const compareBefore = async (folder: string) => {
  const code = await codeOf(folder);
  for (const leaves of new Set([small, large])) {
    const authenticated = code.TopTiles !== undefined;
    const before = await ledgerWith(code, leaves, { authenticated, signed: true });
    const theirs = { ledger: before, name: named(code.name, leaves) };
    const ledger = await complete(leaves);
    await against(theirs, `appends with all of it beside those of ${code.name}`, {
      ledger,
      name: named('complete', leaves),
    });
    await before.close();
  }
};

await withStores(() => (folder ? compareBefore(folder) : compareParts()));
