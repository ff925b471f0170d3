/** The drawing of the first page: recomputes the links of a history whenever it is edited. */
import { type ChainEntry, entryHash, genesisHash } from '@pto/custody-verifier';

const list = document.querySelector<HTMLElement>('.chain');
const state = document.querySelector<HTMLElement>('.chain-state');
const actions = document.querySelector<HTMLElement>('.chain-actions');

const start = (list: HTMLElement, state: HTMLElement, actions: HTMLElement): void => {
  const orderId = list.dataset.order ?? '';
  const cards = [...list.querySelectorAll<HTMLElement>('li')];
  const original = cards.map((card): ChainEntry => JSON.parse(card.dataset.entry ?? ''));
  const knownHead = original.at(-1)!.event_hash;
  let entries = [...original];

  const draw = (): void => {
    let before = genesisHash(orderId);
    const faults = entries.map((entry, n) => {
      const fault = faultOf(orderId, entry, before);
      show(cards[n]!, entry, fault);
      before = entry.event_hash;
      return fault;
    });
    const first = faults.findIndex((fault) => fault !== null);
    const isForged = first < 0 && entries.at(-1)!.event_hash !== knownHead;
    state.className = `chain-state ${first >= 0 ? 'invalid' : isForged ? 'consistent' : 'proven'}`;
    state.textContent = sentence(first, faults[first] ?? null, isForged, knownHead);
  };
  const edit = (n: number, name: string, value: string): void => {
    entries = entries.map((entry, at) => {
      if (at !== n) return entry;
      return name === 'seal'
        ? { ...entry, payload: { seal_ids: [value] } }
        : { ...entry, [name]: value };
    });
    draw();
  };
  const reset = (): void => {
    entries = [...original];
    cards.forEach((card, n) => {
      for (const input of card.querySelectorAll('input'))
        input.value = shownValue(entries[n]!, input.name);
    });
    draw();
  };
  for (const [n, card] of cards.entries())
    for (const input of card.querySelectorAll('input')) {
      input.readOnly = false;
      input.addEventListener('input', () => edit(n, input.name, input.value));
    }
  actions.hidden = false;
  actions.querySelector('[name=reset]')?.addEventListener('click', reset);
  actions.querySelector('[name=repair]')?.addEventListener('click', () => {
    entries = relinked(orderId, entries);
    draw();
  });
  reset();
};

type Fault = 'hash' | 'link' | null;

const faultOf = (orderId: string, entry: ChainEntry, before: string): Fault => {
  if (entry.prev_event_hash !== before) return 'link';
  return entryHash(orderId, entry) === entry.event_hash ? null : 'hash';
};

const relinked = (orderId: string, entries: readonly ChainEntry[]): ChainEntry[] => {
  const made: ChainEntry[] = [];
  for (const entry of entries) {
    const prev_event_hash = made.at(-1)?.event_hash ?? genesisHash(orderId);
    const linked = { ...entry, prev_event_hash };
    made.push({ ...linked, event_hash: entryHash(orderId, linked) });
  }
  return made;
};

const shownValue = (entry: ChainEntry, name: string): string =>
  name === 'seal' ? (entry.payload as { seal_ids: string[] }).seal_ids[0]! : entry.ts_utc;

const words = { hash: 'hash does not match', link: 'link is broken' } as const;

const show = (card: HTMLElement, entry: ChainEntry, fault: Fault): void => {
  card.classList.toggle('broken', fault !== null);
  card.querySelector('.before code')!.textContent = short(entry.prev_event_hash);
  card.querySelector('.own code')!.textContent = short(entry.event_hash);
  card.querySelector('.verdict')!.textContent = fault === null ? 'linked' : words[fault];
};

const short = (hash: string): string => hash.slice(0, 12);

const sentence = (first: number, fault: Fault, isForged: boolean, knownHead: string): string => {
  if (fault !== null)
    return `Invalid. Entry ${first + 1}: ${words[fault]}. The stored hash was computed over other bytes.`;
  if (isForged)
    return `The hashes agree again, but the last one is not ${short(knownHead)}…, which was published before in a signed checkpoint and in webhooks. That is how a forged history is found.`;
  return `Valid. All four links hold, and the last hash is the one that was published: ${short(knownHead)}…`;
};

if (list && state && actions) start(list, state, actions);
