import type { OpenOrderStop } from '@pto/proto/orders/v1/commands';
import { telephoneUrl } from '../parts/telephone-url.ts';
import { Text } from '../parts/text.tsx';
import { t } from '../parts/words.ts';

/** A phone of Apple has its own scheme; `geo:` (RFC 5870) opens the map that the driver has chosen. */
const isApple = /iPhone|iPad|iPod|Macintosh/.test(navigator.userAgent);

const mapOf = ({ street, city, lat, lng }: OpenOrderStop): string => {
  const address = encodeURIComponent([street, city].filter(Boolean).join(', '));
  return isApple ? `maps:?q=${address}` : `geo:${lat ?? 0},${lng ?? 0}?q=${address}`;
};

/** Where to go, the note for its door, and whom to call there. */
export const Place = ({ of, title }: { of: OpenOrderStop; title: string }) => (
  <section className="place">
    <h2>{title}</h2>
    <p>
      <strong>
        <Text of={of.label} />
      </strong>
      {[of.street, of.city]
        .filter((line) => !of.label.includes(line))
        .map((line) => (
          <span key={line}>
            <Text of={line} />
          </span>
        ))}
    </p>
    {of.detail && (
      <p className="door">
        <Text of={of.detail} />
      </p>
    )}
    <div className="pair">
      <a className="call" href={mapOf(of)}>
        {t('Open the map')}
      </a>
      {of.contactPhone && (
        <a className="call" href={telephoneUrl(of.contactPhone)}>
          <Text of={`${t('Call')} ${of.contactName ?? ''}`} />
        </a>
      )}
    </div>
  </section>
);
