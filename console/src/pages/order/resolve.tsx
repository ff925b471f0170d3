import { orderCommands } from '@pto/proto/order-commands';
import { incidentsOf } from '../../board/columns.ts';
import { useCall } from '../../calls/use-call.ts';
import type { WithCommandId } from '../../calls/use-command-ids.ts';
import { OpenIncidents } from '../../parts/incidents.tsx';
import { type Commanded, CommandWindow } from './command-window.tsx';
import { source } from './source.ts';

const { resolve } = orderCommands;

/** Says what is open, and asks how it ended: on the page of the order, and over the board. */
export const ResolveWindow = ({
  order,
  ...window
}: {
  order: Commanded;
  withCommandId: WithCommandId;
  onClose: () => void;
}) => {
  const key = ['order', order.id];
  const own = useCall(key, () => source.order(order.id)).data;
  const chain = useCall([...key, 'chain', own?.order?.sequence], () => source.chain(order.id), {
    enabled: own !== undefined,
  }).data;
  const entries = own && chain ? source.entriesOf(chain, own) : [];
  return (
    <CommandWindow command={resolve} order={order} {...window}>
      <OpenIncidents of={entries} open={incidentsOf(order)} isLinked={false} />
    </CommandWindow>
  );
};
