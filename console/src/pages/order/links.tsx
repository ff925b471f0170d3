import type { OrderLink } from '@pto/proto/access/v1/order_links';
import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Choice } from '../../parts/choice.tsx';
import { useMay } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Confirm, FormWindow, Window } from '../../parts/window.tsx';

type Order = { readonly organizationId: string; readonly orderId: string };

const sides = [
  ['dropoff', 'Drop-off'],
  ['pickup', 'Pick-up'],
] as const;
const wordsOf = (side: string) => sides.find(([value]) => value === side)?.[1] ?? side;

/** A button for the links that show this order to a ward; dispatchers and administrators make them. */
export const OrderLinks = (order: Order) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <QuietButton onClick={() => setOpen(true)}>Links for a ward</QuietButton>
      {isOpen && <Links {...order} onClose={() => setOpen(false)} />}
    </>
  );
};

const Links = ({ organizationId, orderId, onClose }: Order & { onClose: () => void }) => {
  const may = useMay();
  const mayChange = may('dispatcher', 'admin');
  const [shows, setShows] = useState<'create' | OrderLink>();
  const [url, setUrl] = useState('');
  const name = ['order', orderId, 'links'];
  const query = useCall(name, async () => {
    const { links } = await clients.orderLinks.listOrderLinks({ organizationId, orderId });
    return links;
  });
  const columns: readonly Column<OrderLink>[] = [
    ['Side', ({ side }) => wordsOf(side)],
    ['Created', ({ createdAt }) => <Time at={createdAt} />, 'named'],
    ['Opened', ({ views }) => (views === 1 ? 'once' : `${views} times`), 'named'],
    ['Last', ({ lastViewedAt }) => <Time at={lastViewedAt} />, 'named'],
    [
      'Actions',
      (link) =>
        mayChange && (
          <QuietButton className="danger" onClick={() => setShows(link)}>
            End
          </QuietButton>
        ),
    ],
  ];
  const create = async (fields: FormData) => {
    const side = `${fields.get('side')}`;
    setUrl((await clients.orderLinks.createOrderLink({ organizationId, orderId, side })).url);
  };
  if (url !== '')
    return (
      <SecretWindow
        title="The new link"
        text="Give it to the people of that side. Nobody can read it again; it ends 24 hours after the order."
        secret={url}
        onClose={() => setUrl('')}
      />
    );
  if (shows === 'create')
    return (
      <FormWindow
        title="Create a link"
        verb="Create"
        onClose={() => setShows(undefined)}
        changes={[name]}
        submit={create}
      >
        <p>
          It shows where this order is, who has it, temperatures, and place and access note of one
          side.
        </p>
        <Choice label="Side" name="side" options={sides} />
      </FormWindow>
    );
  if (shows)
    return (
      <Confirm
        title="End the link"
        text="Its page shows nothing within 5 s. This cannot be undone."
        isRepeatable
        isDangerous
        onClose={() => setShows(undefined)}
        changes={[name]}
        actions={{
          End: () => clients.orderLinks.endOrderLinks({ organizationId, orderId, id: shows.id }),
        }}
      />
    );
  return (
    <Window title="Links for a ward" onClose={onClose}>
      <Table
        query={query}
        rows={(all) => all}
        columns={columns}
        caption="Links of this order"
        empty="The order has no link."
      />
      {mayChange && (
        <p>
          <button type="button" onClick={() => setShows('create')}>
            Create a link
          </button>
        </p>
      )}
    </Window>
  );
};
