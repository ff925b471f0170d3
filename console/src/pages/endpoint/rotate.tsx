import { clients } from '../../calls/clients.ts';
import { Choice, FormWindow } from '../../parts/window.tsx';

/** Times in which the current secret also signs, in seconds; the first is that of the command line. */
const overlaps = [
  [86_400, '24 hours'],
  [7 * 86_400, '7 days'],
  [0, 'No time: it has leaked'],
] as const;

/** Rotates the signing secret of an endpoint. @param onDone gets the secret, which no later answer has. */
export const Rotate = ({
  id,
  onClose,
  onDone,
}: {
  id: string;
  onClose: () => void;
  onDone: (secret: string, previousExpiresAt: string) => Promise<void>;
}) => {
  const rotate = async (fields: FormData) => {
    const overlapSeconds = Number(fields.get('overlap'));
    const rotated = await clients.deliveries.rotateEndpointSecret({ id, overlapSeconds });
    await onDone(rotated.secret, rotated.previousExpiresAt);
  };
  return (
    <FormWindow title="Rotate the secret" verb="Rotate" open onClose={onClose} submit={rotate}>
      <p>
        A new signing secret is shown once. Without it, the partner rejects deliveries after the
        current one has ended. If no answer comes, rotate again.
      </p>
      <Choice label="The current secret also signs for" name="overlap" options={overlaps} />
    </FormWindow>
  );
};
