import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { clients } from './calls/clients.ts';
import { useCall } from './calls/use-call.ts';
import { AuditPage } from './pages/audit.tsx';
import { DeadLettersPage } from './pages/dead-letters.tsx';
import { EndpointPage } from './pages/endpoint.tsx';
import { LedgerPage } from './pages/ledger.tsx';
import { OrderPage } from './pages/order.tsx';
import { OrdersPage } from './pages/orders.tsx';
import { OrganizationPage } from './pages/organization.tsx';
import { OrganizationsPage } from './pages/organizations.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { StatusPage } from './pages/status.tsx';
import { Frame } from './parts/frame.tsx';
import { Me } from './parts/me.ts';
import { Problem } from './parts/problem.tsx';

/** The sign-in page without a session, else the page of the path. */
export const App = () => {
  const queries = useQueryClient();
  const [isSignedOut, setSignedOut] = useState(false);
  const me = useCall(['me'], () => clients.operators.whoAmI({}), { enabled: !isSignedOut });
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
      <Frame>
        <Switch>
          <Route path="/orders/:id">{({ id }) => <OrderPage id={id} key={id} />}</Route>
          <Route path="/orders" component={OrdersPage} />
          <Route path="/organizations/:id">
            {({ id }) => <OrganizationPage id={id} key={id} />}
          </Route>
          <Route path="/organizations" component={OrganizationsPage} />
          <Route path="/endpoints/:id">{({ id }) => <EndpointPage id={id} key={id} />}</Route>
          <Route path="/ledger" component={LedgerPage} />
          <Route path="/dead-letters" component={DeadLettersPage} />
          <Route path="/audit" component={AuditPage} />
          <Route path="/status" component={StatusPage} />
          <Route>
            <Redirect to="/orders" replace />
          </Route>
        </Switch>
      </Frame>
    </Me>
  );
};
