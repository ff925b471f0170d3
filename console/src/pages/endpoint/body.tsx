import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Problem } from '../../parts/problem.tsx';
import { Text } from '../../parts/text.tsx';
import { Window } from '../../parts/window.tsx';

/** Shows what each attempt of a delivery sends. */
export const DeliveryBody = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { data, error, refetch } = useCall(['delivery', id, 'body'], () =>
    clients.deliveries.getDeliveryBody({ id }),
  );
  return (
    <Window title="What was sent" open onClose={onClose}>
      {error && <Problem error={error} retry={refetch} />}
      {data && (
        <pre>
          <Text of={JSON.stringify(JSON.parse(new TextDecoder().decode(data.body)), null, 2)} />
        </pre>
      )}
    </Window>
  );
};
