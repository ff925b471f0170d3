import { Choice } from '../choice.tsx';
import { FormWindow } from '../window.tsx';
import { t } from '../words.ts';
import type { EndpointSource } from './source.ts';

type Rotated = Awaited<ReturnType<EndpointSource['rotate']>>;

/** Times in which the current secret also signs, in seconds; the first is that of the command line. */
const overlaps = [
  [86_400, '24 hours'],
  [7 * 86_400, '7 days'],
  [0, 'No time: it has leaked'],
] as const;

/** Rotates the signing secret of an endpoint. @param onDone gets the secret, which no later answer has. */
export const Rotate = ({
  rotate,
  onClose,
  onDone,
}: {
  rotate: (overlap: number) => Promise<Rotated>;
  onClose: () => void;
  onDone: (rotated: Rotated) => Promise<void>;
}) => {
  const submit = async (fields: FormData) => onDone(await rotate(Number(fields.get('overlap'))));
  return (
    <FormWindow title={t('Rotate the secret')} verb="Rotate" onClose={onClose} submit={submit}>
      <p>
        {t(
          'A new signing secret is shown once. Without it, the receiver rejects deliveries after the current one has ended. If no answer comes, rotate again.',
        )}
      </p>
      <Choice
        label="The current secret also signs for"
        name="overlap"
        options={overlaps.map(([seconds, words]) => [seconds, t(words)] as const)}
      />
    </FormWindow>
  );
};
