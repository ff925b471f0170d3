import { Copy } from './copy.tsx';
import { Window } from './window.tsx';

/** Shows a secret once, with a button that copies it. @param secret empty: there is none to show. */
export const SecretWindow = ({
  title,
  text,
  secret,
  onClose,
}: {
  title: string;
  text: string;
  secret: string;
  onClose: () => void;
}) =>
  secret === '' ? null : (
    <Window title={title} onClose={onClose}>
      <p>{text}</p>
      <Copy text={secret} />
    </Window>
  );
