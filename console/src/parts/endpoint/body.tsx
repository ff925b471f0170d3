import { useCall } from '../../calls/use-call.ts';
import { Problem } from '../problem.tsx';
import { Text } from '../text.tsx';
import { Window } from '../window.tsx';
import { t } from '../words.ts';

/** Shows what each attempt of a delivery sends. */
export const DeliveryBody = ({
  id,
  read,
  onClose,
}: {
  id: string;
  read: (id: string) => Promise<string>;
  onClose: () => void;
}) => {
  const { data, error, refetch } = useCall(['delivery', id, 'body'], () => read(id));
  return (
    <Window title={t('What was sent')} onClose={onClose}>
      {error && <Problem error={error} retry={refetch} />}
      {data && (
        <pre>
          <Text of={JSON.stringify(JSON.parse(data), null, 2)} />
        </pre>
      )}
    </Window>
  );
};
