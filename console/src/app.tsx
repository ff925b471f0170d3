import type { WhoAmIResponse } from '@pto/proto/operators/v1/operators';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Route, Switch } from 'wouter';
import { clients } from './calls/clients.ts';
import { hasOpenId, signOut } from './calls/session.ts';
import { useCall } from './calls/use-call.ts';
import { AuditPage } from './pages/audit.tsx';
import { CarrierOrderPage } from './pages/carrier-order.tsx';
import { CarriersPage } from './pages/carriers.tsx';
import { DeadLettersPage } from './pages/dead-letters.tsx';
import { DriverPage } from './pages/driver.tsx';
import { EndpointPage } from './pages/endpoint.tsx';
import { LedgerPage } from './pages/ledger.tsx';
import { MapPage } from './pages/map.tsx';
import { shortcuts } from './pages/now/shortcuts.ts';
import { NowPage } from './pages/now.tsx';
import { OperatorsPage } from './pages/operators.tsx';
import { OrderPage } from './pages/order.tsx';
import { OrdersPage } from './pages/orders.tsx';
import { OrganizationPage } from './pages/organization.tsx';
import { OrganizationsPage } from './pages/organizations.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { StatusPage } from './pages/status.tsx';
import { CellSelect } from './parts/cell-select.tsx';
import { setEnvironment } from './parts/environment.ts';
import { Frame, type FramePage } from './parts/frame.tsx';
import { Me } from './parts/me.ts';
import { NotFound } from './parts/not-found.tsx';
import { Problem } from './parts/problem.tsx';
import { useCounts } from './parts/use-counts.ts';

const pages: readonly FramePage[] = [
  ['/', 'Now', 'n', '/map'],
  ['/orders', 'Orders', 'o'],
  ['/carriers', 'Carriers', 'c', '/drivers'],
  ['/organizations', 'Organizations', 'p', '/endpoints'],
  ['/ledger', 'Ledger', 'l'],
  ['/dead-letters', 'Dead letters', 'd'],
  ['/audit', 'Audit log', 'a'],
  ['/operators', 'Operators', 'u'],
  ['/status', 'Status', 's'],
];

/** What a carrier's dispatcher sees: the carrier's orders and drivers (decision 84). */
const pagesOfCarriers = pages.filter(([path]) => path === '/' || path === '/carriers');

/** Time between two questions to the console whether it answers, in ms. */
const probeMs = 5000;

const signOuts = {
  text: 'Sign out of this browser, or of every browser in which you are signed in?',
  actions: { Everywhere: () => signOut(true), 'This browser': () => signOut(false) },
} as const;

/** The sign-in page without a session, else the page of the path. */
export const App = () => {
  const queries = useQueryClient();
  const [isSignedOut, setSignedOut] = useState(false);
  const me = useCall(
    ['me'],
    async () => {
      const found = await clients.operators.whoAmI({});
      setEnvironment(found.environment);
      return found;
    },
    { enabled: !isSignedOut },
  );
  // a page that is not live would not notice that no answer comes
  useCall(['connection'], hasOpenId, { live: true, everyMs: probeMs, enabled: me.isSuccess });
  useEffect(() => {
    const ended = () => setSignedOut(true);
    addEventListener('signed-out', ended);
    return () => removeEventListener('signed-out', ended);
  }, []);
  const signedIn = () => {
    queries.clear(); // another operator must not see what this one has read
    setSignedOut(false);
  };
  if (isSignedOut) return <SignInPage onDone={signedIn} />;
  if (me.error && !me.data) return <Problem error={me.error} retry={me.refetch} />;
  if (!me.data) return <main className="waiting" aria-busy="true" />;
  return (
    <Me value={me.data}>
      <SignedIn me={me.data} />
    </Me>
  );
};

const SignedIn = ({ me }: { me: WhoAmIResponse }) => {
  const counts = useCounts();
  const isCarrier = me.roles.includes('carrier');
  const permitted = isCarrier ? pagesOfCarriers : pages;
  const Order = isCarrier ? CarrierOrderPage : OrderPage;
  return (
    <Frame
      brand="Console"
      environment={me.environment}
      pages={permitted}
      counts={counts}
      searchAt={isCarrier ? '/' : '/orders'}
      shortcuts={shortcuts}
      who={
        <>
          {me.cells.length > 1 && <CellSelect cells={me.cells} />}
          <span title={me.roles.join(', ')}>{me.name}</span>
        </>
      }
      signOuts={signOuts}
    >
      <Switch>
        <Route path="/orders/:id">{({ id }) => <Order id={id} key={id} />}</Route>
        <Route path="/carriers" component={CarriersPage} />
        <Route path="/drivers/:id">{({ id }) => <DriverPage id={id} key={id} />}</Route>
        <Route path="/map" component={MapPage} />
        <Route path="/" component={NowPage} />
        {isCarrier && (
          <Route>
            <NotFound brand="Console" pages={permitted} />
          </Route>
        )}
        <Route path="/orders" component={OrdersPage} />
        <Route path="/organizations/:id">{({ id }) => <OrganizationPage id={id} key={id} />}</Route>
        <Route path="/organizations" component={OrganizationsPage} />
        <Route path="/endpoints/:id">{({ id }) => <EndpointPage id={id} key={id} />}</Route>
        <Route path="/ledger" component={LedgerPage} />
        <Route path="/dead-letters" component={DeadLettersPage} />
        <Route path="/audit" component={AuditPage} />
        <Route path="/operators" component={OperatorsPage} />
        <Route path="/status" component={StatusPage} />
        <Route>
          <NotFound brand="Console" pages={permitted} />
        </Route>
      </Switch>
    </Frame>
  );
};
