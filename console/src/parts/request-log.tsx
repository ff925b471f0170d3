import { Link } from 'wouter';
import { useCall } from '../calls/use-call.ts';
import { AddressSelect } from './address-select.tsx';
import { Copy, CopyId } from './copy.tsx';
import { duration } from './duration.ts';
import { Fact } from './order-facts.tsx';
import { Pages, usePageId } from './pages.tsx';
import { shortId } from './short-id.ts';
import { type Column, Table } from './table.tsx';
import { Text } from './text.tsx';
import { Moment } from './time.tsx';
import { useAddress } from './use-address.ts';
import { t } from './words.ts';

/** A request of the log (docs/decisions/request-log.md). */
interface ShownRequest {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string | null | undefined;
  /** The fields that the response named, and the type of each one's error. */
  readonly errors: readonly { readonly field: string; readonly type: string }[];
  readonly requiredScope?: string | null | undefined;
  readonly requestId: string;
  readonly durationMs: number;
  readonly leftOut?: number | undefined;
}

interface RequestPage {
  readonly requests: readonly ShownRequest[];
  /** Id after which the older page begins; empty or undefined: there is none. */
  readonly nextId: string | undefined;
}

export interface RequestFilter {
  readonly status: string;
  readonly requestId: string;
  readonly beforeId: string;
}

const toneOf = (status: number): string => {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
};

/** What a person needs to know of a status that is not one of the contract. */
const disconnected = 'The client disconnected before the response.';

const id = /((?:orders|webhooks)\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** A path whose ids are short; that of an order or an endpoint leads to its page. */
const Path = ({ of }: { of: string }) => (
  <span className="path" title={of}>
    {of.split(id).map((part, n, parts) => {
      // of each id: what is before it, its kind, the id
      if (n % 3 === 0) return part && <Text key={part} of={part} />;
      if (n % 3 === 1 || part === undefined) return part;
      const kind = parts[n - 1];
      return kind === undefined ? (
        shortId(part)
      ) : (
        <Link key={part} href={`/${kind === 'orders/' ? 'orders' : 'endpoints'}/${part}`}>
          {shortId(part)}
        </Link>
      );
    })}
  </span>
);

const columns = (hasErrors: boolean): readonly Column<ShownRequest>[] => [
  ['At', ({ at }) => <Moment at={at} />, 'detail'],
  [
    'Request',
    ({ method, path }) => (
      <>
        <span className="method">{method}</span> <Path of={path} />
      </>
    ),
    'title',
  ],
  ['Status', ({ status }) => <span className={`badge ${toneOf(status)}`}>{status}</span>, 'state'],
  ...(hasErrors ? [['Error', (of) => <Why of={of} />] satisfies Column<ShownRequest>] : []),
  ['Took', ({ durationMs }) => <span className="whole">{duration(durationMs / 1000)}</span>],
  ['Request id', ({ requestId }) => <CopyId of={requestId} />],
];

const isError = ({ status }: ShownRequest): boolean => status >= 400;

/** Why a request was rejected. */
const Why = ({ of: { status, code, errors, requiredScope, leftOut } }: { of: ShownRequest }) => (
  <>
    {code || (status === 422 && t('Validation'))}
    {status === 499 && t(disconnected)}
    {requiredScope && `: ${t('requires')} ${requiredScope}`}
    {errors.map(({ field, type }, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a field may have two errors of one type
      <div key={n} className="long">
        <Text of={field} /> <span className="faint">{type}</span>
      </div>
    ))}
    {leftOut !== undefined &&
      leftOut > 0 &&
      ` ${t('and {count} more in this minute', { count: leftOut })}`}
  </>
);

/** The ids of a request as a person quotes them. */
const Ids = ({ of: { at, path, requestId } }: { of: ShownRequest }) => (
  <dl className="facts">
    <Fact name="At">
      <Moment at={at} />
    </Fact>
    <Fact name="Request id">
      <Copy text={requestId} />
    </Fact>
    <Fact name="Path">
      <Copy text={path} />
    </Fact>
  </dl>
);

const statuses = [
  ['', 'All statuses'],
  ['4xx', 'Rejected (4xx)'],
  ['429', 'Beyond a limit (429)'],
  ['499', 'Disconnected (499)'],
  ['5xx', 'Failed (5xx)'],
  ['2xx', 'Successful (2xx)'],
] as const;

const statusValues = statuses.map(([value]) => value);

/**
 * The requests of an organization in the last 7 days, live on the first page. The filters are in the
 * address.
 * @param name of the calls, for the cache.
 */
export const RequestLog = ({
  name,
  read,
  everyMs,
  heading,
}: {
  name: readonly string[];
  read: (filter: RequestFilter) => Promise<RequestPage>;
  everyMs?: () => number;
  heading: React.ReactNode;
}) => {
  const address = useAddress();
  const beforeId = usePageId();
  const [status, requestId] = [address.get('status', statusValues), address.get('request')];
  const filter = { status, requestId: requestId.trim(), beforeId };
  const query = useCall([...name, 'requests', filter], () => read(filter), {
    live: beforeId === '',
    ...(everyMs !== undefined && { everyMs }),
  });
  return (
    <section aria-label={t('Requests')} id="requests">
      <div className="bar">
        {heading}
        <AddressSelect name="status" label="Status" options={statuses} />
        <input
          type="search"
          aria-label={t('Request id')}
          placeholder={t('Request id, whole')}
          maxLength={128}
          value={requestId}
          onChange={({ target: { value } }) => address.set({ request: value }, { isTyped: true })}
        />
      </div>
      <Table
        query={query}
        rows={({ requests }) => requests}
        columns={columns(query.data?.requests.some(isError) ?? false)}
        caption="Requests"
        folded={(request) => <Ids of={request} />}
        empty={t('No such request in the last 7 days.')}
      />
      <Pages next={query.data?.nextId} />
    </section>
  );
};
