import { Copy } from './copy.tsx';
import { QrCode } from './qr.tsx';
import { Window } from './window.tsx';

/** Shows a secret once, with a button that copies it. @param secret empty: there is none to show. */
export const SecretWindow = ({
  title,
  text,
  secret,
  qr,
  onClose,
}: {
  title: string;
  text: string;
  secret: string;
  /** Names its QR code, for a phone; absent: it has none. */
  qr?: string;
  onClose: () => void;
}) =>
  secret === '' ? null : (
    <Window title={title} onClose={onClose}>
      <p>{text}</p>
      {qr !== undefined && <QrCode of={secret} label={qr} />}
      <Copy text={secret} />
    </Window>
  );
