import { useState } from 'react';
import { carrierOf, driverOf, type Named, namedBy, suggest } from '../board/suggest.ts';
import { unshownMs, useBoard } from '../board/use-board.ts';
import { assignable, nameMax, useRecords } from './carriers.ts';
import { visibleText } from './visible-text.ts';
import { Field } from './window.tsx';

/**
 * A field of a form for a carrier or a driver. It offers records and names of open orders, the
 * likeliest first; a text that is the name of a record stands for the record (`useRecordId`).
 * @param towns of the order.
 * @param carrier whose drivers are offered.
 */
export const RecordField = ({
  of,
  towns,
  carrier,
  onTyped,
  hint = '',
  ...input
}: {
  of: 'carrier' | 'driver';
  label: string;
  name: string;
  required: boolean;
  towns: readonly (string | undefined)[];
  carrier?: Named | undefined;
  onTyped?: (text: string) => void;
  hint?: string;
}) => {
  const { data = { carriers: [], drivers: [] } } = useRecords();
  const open = useBoard({ everyMs: unshownMs }).data?.orders ?? [];
  const [text, setText] = useState('');
  const records = assignable(data, of, carrier);
  const isItsCarrier = (other: Named | undefined) =>
    other?.id && carrier?.id ? other.id === carrier.id : other?.name === carrier?.name;
  const offered =
    of === 'carrier'
      ? suggest(open, towns, records, carrierOf)
      : suggest(
          open.filter((order) => isItsCarrier(carrierOf(order))),
          towns,
          records,
          driverOf,
        );
  const chosen = namedBy(text, records);
  const asked =
    hint ||
    (of === 'driver' && carrier
      ? `A driver of ${visibleText(carrier.name)}.`
      : 'A carrier with a record, or a name.');
  const said = chosen
    ? ['A record', chosen.telephone].filter(Boolean).join(', ')
    : data.carriers.length > 0
      ? 'A name without a record.'
      : asked;
  return (
    <Field
      {...input}
      maxLength={nameMax}
      suggestions={offered.map(({ name }) => name)}
      hint={text.trim() === '' ? asked : said} // a line from the start: the button keeps its place
      onChange={({ target: { value } }) => {
        setText(value);
        onTyped?.(value);
      }}
    />
  );
};
