import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { Problem } from '../problem.tsx';
import type { Schemas } from '../schemas.ts';
import { useCommand } from '../use-command.ts';
import { t } from '../words.ts';
import { adviceOn } from './advice.ts';
import type { EndpointParts } from './source.ts';

type Result = Schemas['HandshakeResult'];

const steps = [
  'The address is accepted, and it connects',
  'The certificate is trusted',
  'The request is sent, and the response is 2xx',
  'The response is the nonce',
] as const;

/** The step at which a handshake with this reason ended; others ended at the response. */
const endedAt: Readonly<Record<string, number>> = { unreachable: 0, tls: 1, body: 3, echo: 3 };
const atResponse = 2;

/** The steps of a handshake, each passed, failed or not reached. @param of undefined: it runs. */
export const HandshakeSteps = ({ of }: { of: Result | undefined }) => {
  if (!of)
    return (
      <p role="status">
        {t('The handshake runs: the receiver has 10 seconds to return the nonce.')}
      </p>
    );
  const failed = of.ok ? steps.length : (endedAt[of.reason ?? ''] ?? atResponse);
  return (
    <div role="status">
      <ol className="handshake">
        {steps.map((step, n) => (
          <li key={step} className={n < failed ? 'good' : n === failed ? 'bad' : 'faint'}>
            {t(step)}: {n < failed ? t('yes') : n > failed ? t('not reached') : t('no')}
            {n === atResponse && of.status_code ? ` (${of.status_code})` : ''}
          </li>
        ))}
      </ol>
      <p>{t(of.ok ? 'The handshake passed.' : adviceOn(of) || 'The handshake failed.')}</p>
    </div>
  );
};

/** Where the last handshake of an endpoint is kept for its page. */
export const handshakeKey = (id: string) => ['handshake', id] as const;

/** The last handshake of an endpoint that is not verified, and a button that repeats it. */
export const Handshake = ({ source, may, endpoint: { id, status } }: EndpointParts) => {
  const queries = useQueryClient();
  const { data } = useQuery<Result>({ queryKey: handshakeKey(id), queryFn: skipToken });
  const { error, isBusy, run } = useCommand(() => {});
  if (!data && status !== 'PENDING_VERIFICATION') return null;
  const repeat = async () => {
    const { handshake } = await source.verify(id);
    queries.setQueryData(handshakeKey(id), handshake);
    await queries.invalidateQueries({ queryKey: ['endpoint', id] });
  };
  return (
    <section aria-label={t('Handshake')}>
      <h2>{t('Handshake')}</h2>
      {data || isBusy ? (
        <HandshakeSteps of={isBusy ? undefined : data} />
      ) : (
        <p>{t('The URL is not verified, and gets no events.')}</p>
      )}
      {error !== undefined && <Problem error={error} />}
      {may.check && !data?.ok && (
        <button type="button" onClick={() => run(repeat)} disabled={isBusy}>
          {t('Try again')}
        </button>
      )}
    </section>
  );
};
