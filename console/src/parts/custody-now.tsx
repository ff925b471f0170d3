import { holderOf } from './holder.ts';

/** Who has the goods now. */
export const CustodyNow = ({
  order,
  entries,
}: {
  order: Parameters<typeof holderOf>[0];
  entries: readonly unknown[];
}) => (
  <section aria-label="Custody now" className="holder">
    <h2>Who holds it</h2>
    <p>
      <strong>{holderOf(order, entries)}</strong>
    </p>
  </section>
);
