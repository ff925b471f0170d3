import { useState } from 'react';
import { carrierOf, driverOf, type Named, namedBy, suggest } from '../board/suggest.ts';
import { unshownMs, useBoard } from '../board/use-board.ts';
import { useRecords } from './carriers.ts';
import { Field } from './window.tsx';

/**
 * A field of a form for a carrier or a driver. It offers records and names of open orders, the
 * likeliest first; a text that is the name of a record stands for the record, whose id is the form's
 * `carrierId` or `driverId`.
 * @param towns of the order.
 * @param carrier whose drivers are offered.
 */
export const RecordField = ({
  of,
  towns,
  carrier,
  onChosen,
  hint,
  ...input
}: {
  of: 'carrier' | 'driver';
  label: string;
  name: string;
  required: boolean;
  towns: readonly (string | undefined)[];
  carrier?: Named | undefined;
  onChosen?: (who: Named) => void;
  hint?: string;
}) => {
  const { data: records } = useRecords();
  const open = useBoard({ everyMs: unshownMs }).data?.orders ?? [];
  const [text, setText] = useState('');
  const carriers = (records?.carriers ?? []).filter(({ active }) => active);
  const drivers = (records?.drivers ?? []).filter(
    ({ active, carrierId }) =>
      active && carrierId === carrier?.id && carriers.some(({ id }) => id === carrierId),
  );
  const isItsCarrier = (other: Named | undefined) =>
    carrier?.id ? other?.id === carrier.id : !other?.id && other?.name === carrier?.name;
  const offered =
    of === 'carrier'
      ? suggest(open, towns, carriers, carrierOf)
      : suggest(
          open.filter((order) => isItsCarrier(carrierOf(order))),
          towns,
          drivers,
          driverOf,
        );
  const chosen = of === 'carrier' ? namedBy(text, carriers) : namedBy(text, drivers);
  const change = (typed: string) => {
    setText(typed);
    onChosen?.({ name: typed.trim(), id: namedBy(typed, carriers)?.id });
  };
  const said = chosen
    ? ['A record', chosen.telephone].filter(Boolean).join(', ')
    : 'A name without a record.';
  return (
    <>
      <Field
        {...input}
        maxLength={200}
        suggestions={offered.map(({ name }) => name)}
        hint={text.trim() === '' ? (hint ?? '') : said}
        onChange={({ target: { value } }) => change(value)}
      />
      <input type="hidden" name={`${of}Id`} value={chosen?.id ?? ''} />
    </>
  );
};
