import { useEffect, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { isSignedOut } from '../calls/failure.ts';
import { useCall } from '../calls/use-call.ts';
import { Bar } from './bar.tsx';
import { readOrders } from './known-orders.ts';
import { NoShift, NotRead, Opening } from './opening.tsx';
import { OrderPage } from './order.tsx';
import { OrdersPage } from './orders.tsx';
import { startSending } from './sender.ts';
import { readShift, type Shift, storedShift } from './shift.ts';
import { ShiftPage } from './shift-page.tsx';
import { useStored } from './store.ts';

/** Time between two reads of the shift and its orders by a visible page, in ms. */
const everyMs = 15_000;
const codeForm = /^#(drl_\w+)$/;

/** The code of the link with which the page was opened. The address bar loses it at once. */
const codeOfLink = (): string => {
  const [, code = ''] = codeForm.exec(location.hash) ?? [];
  if (code !== '') history.replaceState(null, '', location.pathname);
  return code;
};

/** The page of a driver's phone: a link opens a shift, which shows the driver's orders. */
export const DriverPage = () => {
  const [code, setCode] = useState(codeOfLink);
  const [openedId, setOpenedId] = useState('');
  const [hasEnded, setEnded] = useState(false);
  // the newest shift of this phone, whichever page has read it
  const kept = useStored(storedShift);
  const { data, error, refetch } = useCall(['session'], readShift, {
    live: true,
    everyMs,
    enabled: code === '' && !hasEnded,
  });
  useEffect(() => {
    if (kept?.id !== undefined) setEnded(false);
    if (kept?.id === openedId) setCode('');
  }, [kept?.id, openedId]);
  useEffect(() => {
    const linked = () => setCode((before) => codeOfLink() || before);
    addEventListener('hashchange', linked);
    return () => removeEventListener('hashchange', linked);
  }, []);
  if (code !== '') return <Opening code={code} onDone={setOpenedId} />;
  if (hasEnded || isSignedOut(error)) return <NoShift />;
  const shift = kept ?? data;
  if (!shift && error) return <NotRead error={error} onAgain={refetch} />;
  if (!shift) return <main className="waiting" aria-busy="true" />;
  return <OfShift shift={shift} onEnd={() => setEnded(true)} />;
};

const OfShift = ({ shift, onEnd }: { shift: Shift; onEnd: () => void }) => {
  const { id, driverId } = shift;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a shift has its newest state
  useEffect(() => startSending(shift, onEnd), [id, onEnd]);
  const read = useCall(['orders', driverId], () => readOrders(shift).then(() => true), {
    live: true,
    everyMs,
  });
  return (
    <Router hook={useHashLocation}>
      <div className="driver">
        <Bar shift={shift} error={read.error} />
        <Switch>
          <Route path="/orders/:id">
            {({ id }) => <OrderPage key={id} id={id} shift={shift} />}
          </Route>
          <Route path="/shift">
            <ShiftPage shift={shift} onEnd={onEnd} />
          </Route>
          <Route>
            <OrdersPage shift={shift} />
          </Route>
        </Switch>
      </div>
    </Router>
  );
};
