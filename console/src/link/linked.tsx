import { addressLabel } from '@pto/proto/location-label';
import { custodyStatuses } from '@pto/proto/vocabulary';
import type { LinkedOrder } from '@pto/representation';
import type { ReactNode } from 'react';
import { celsius } from '../parts/evidence/celsius.ts';
import { QrCode } from '../parts/qr.tsx';
import { saveFile } from '../parts/save-file.ts';
import { Text } from '../parts/text.tsx';
import { useCommand } from '../parts/use-command.ts';
import type { Language } from '../parts/words.ts';
import { readCertificate } from './api.ts';
import { Clock, ClocksOf, distance } from './clock.tsx';
import { type Texts, whereOf } from './texts.ts';

interface Shown {
  readonly of: LinkedOrder;
  readonly language: Language;
  readonly words: Texts;
}

const ended: readonly string[] = ['DELIVERED', 'CLOSED', 'CANCELLED'];

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** What a link shows of its order. */
export const Linked = (shown: Shown & { secret: string }) => {
  const { of, language, words, secret } = shown;
  const { place } = of;
  const where = whereOf(words, of.status, of.side);
  const isDriven = (custodyStatuses as readonly string[]).includes(of.status);
  const since = of.delivered_at ?? of.status_since;
  const isBefore = !isDriven && !ended.includes(of.status);
  return (
    <ClocksOf value={{ language, timeZone: of.time_zone, now: of.as_of }}>
      <title>{`${where} · ${words.title}`}</title>
      <p className="faint">{words.toYou[of.side]}</p>
      <div role="status">
        <h1>
          {where}
          {since && (
            <span className="since">
              {!ended.includes(of.status) && words.since} <Clock at={since} />
            </span>
          )}
        </h1>
        {of.problem && (
          <p>
            <strong className="out">
              {words.problem} {of.problem.at && <Clock at={of.problem.at} />}
              {': '}
              {of.problem.kinds.map((kind) => words.problems[kind] ?? kind).join(', ')}
            </strong>
            <br />
            {words.afterProblem}
          </p>
        )}
      </div>
      {of.eta && (
        <>
          <h2>
            {words.expected} <Clock at={of.eta} />
            {', '}
            {of.eta < of.as_of ? (
              <span className="out">{words.overdue}</span>
            ) : (
              distance(of.eta, of.as_of, language)
            )}
          </h2>
          <p className="faint">
            {words.sources[`${of.eta_source}`] ?? of.eta_source}
            {of.circle && of.circle.distance_km !== null && (
              <>
                <br />
                {words.away(of.circle.distance_km)} <Clock at={of.circle.at} />
              </>
            )}
          </p>
        </>
      )}
      {of.code !== null && <Code of={of} code={of.code} words={words} />}
      {of.status === 'DELIVERED' && <p>{words.certificateLater}</p>}
      {of.has_certificate && <Certificate secret={secret} language={language} words={words} />}
      <dl>
        <Fact name={isDriven ? words.carrier : words.carrierBefore}>
          {of.transport_organization ? (
            <Text of={of.transport_organization} />
          ) : isDriven ? (
            words.otherSide[of.side]
          ) : (
            words.none
          )}
        </Fact>
        {of.driver && (
          <Fact name={words.driver}>
            <Text of={of.driver} />
          </Fact>
        )}
        {isBefore && of.pickup_window_start && (
          <Fact name={words.window}>
            {words.from} <Clock at={of.pickup_window_start} />
            {of.pickup_window_end && (
              <>
                <br />
                {words.until} <Clock at={of.pickup_window_end} />
              </>
            )}
          </Fact>
        )}
        <Fact name={words.temperature}>
          <Temperature {...shown} />
        </Fact>
        {place && (
          <Fact name={words.place}>
            {place.label !== addressLabel(place) && (
              <>
                <Text of={place.label} />
                <br />
              </>
            )}
            <Text of={`${place.street}, ${place.zip} ${place.city}, ${place.country}`} />
          </Fact>
        )}
        {of.detail && (
          <Fact name={words.access}>
            <Text of={of.detail} />
          </Fact>
        )}
      </dl>
      <p className="faint">
        {words.asOf} <Clock at={of.as_of} />
        <br />
        {words.ends} <Clock at={of.expires_at} />
      </p>
    </ClocksOf>
  );
};

/** A code is large from this time before the goods are expected, in ms. */
const soonMs = 3_600_000;

/** The code of the side for the handover, and the QR code of it that the driver's page scans. */
const Code = ({ of, code, words }: Omit<Shown, 'language'> & { code: string }) => (
  <section
    className={Date.parse(of.eta ?? '') - Date.parse(of.as_of) > soonMs ? 'code later' : 'code'}
    aria-labelledby="code"
  >
    <h2 id="code">{words.code}</h2>
    <strong>{code}</strong>
    <QrCode of={`pto-code:${code}`} label={words.qr} />
    <p>{words.showCode}</p>
  </section>
);

/** The limits, and the last recorded readings against them. */
const Temperature = ({ of, language, words }: Shown) => {
  const degrees = (value: number): string => `${value.toLocaleString(language)} °C`;
  const { temperature_min: min, temperature_max: max, readings } = of;
  const limits =
    min !== null && max !== null
      ? `${degrees(min)} ${words.to} ${degrees(max)}`
      : min !== null
        ? words.atLeast(degrees(min))
        : max !== null && words.atMost(degrees(max));
  const inCelsius = (value: number) => degrees(celsius(value, `${readings?.unit}`));
  return (
    <>
      {limits ? words.limits(limits) : words.noLimits}
      <br />
      {readings ? (
        <>
          {words.last(`${inCelsius(readings.minimum)} ${words.to} ${inCelsius(readings.maximum)}`)},{' '}
          <Clock at={readings.to} />
          {readings.within_limits !== null && (
            <>
              <br />
              <strong className={readings.within_limits ? 'within' : 'out'}>
                {readings.within_limits ? words.within : words.outside}
              </strong>
            </>
          )}
        </>
      ) : ended.includes(of.status) ? (
        <strong className={limits ? 'missing' : ''}>{words.noReadingsAtAll}</strong>
      ) : (
        words.noReadings
      )}
    </>
  );
};

const Certificate = ({ secret, language, words }: Omit<Shown, 'of'> & { secret: string }) => {
  const { error, isBusy, run } = useCommand(() => {});
  const save = async () =>
    saveFile(
      `certificate-${language}.pdf`,
      'application/pdf',
      await readCertificate(secret, language),
    );
  return (
    <p>
      <button type="button" disabled={isBusy} onClick={() => run(save)}>
        {isBusy ? words.wait : words.certificate}
      </button>
      {error !== undefined && (
        <span className="error" role="alert">
          {words.failed}
        </span>
      )}
    </p>
  );
};
