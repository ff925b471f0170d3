/**
 * The phone's position, which goes with each record if the driver allows it, and from which the
 * expected time follows while the driver is under way. Without one nothing waits.
 */
import { useEffect } from 'react';
import { positions } from './calls.ts';
import type { Position } from './records.ts';

const choice = 'position';
/** Time between two readings while the page is visible, and the age up to which one counts, in ms. */
const [everyMs, ageMaxMs] = [30_000, 60_000];

let newest: { readonly position: Position; readonly atMs: number } | undefined;

/** What the driver has answered, or `denied` by the browser; null: nothing yet. */
export const positionChoice = (): string | null =>
  navigator.geolocation ? localStorage.getItem(choice) : 'no';

/** Remembers the answer. With `yes` the browser asks the driver, too. @returns what then holds. */
export const choosePosition = async (answer: 'yes' | 'no'): Promise<string | null> => {
  localStorage.setItem(choice, answer);
  newest = undefined;
  if (answer === 'yes') await readPosition();
  return positionChoice();
};

/** Returns the newest position if it is less than 60 s old. */
export const newestPosition = (): Position | null =>
  newest && performance.now() - newest.atMs < ageMaxMs ? newest.position : null;

/** Time between two positions of an order that are sent, in ms (decision 87). */
const reportedEveryMs = 60_000;
const reported = new Map<string, number>();

/** Sends a position of an order under way; one that is not taken is not sent again. */
const report = (orderId: string, { lat, lng }: Position, accuracy: number): void => {
  const now = performance.now();
  if (now - (reported.get(orderId) ?? -reportedEveryMs) < reportedEveryMs) return;
  reported.set(orderId, now);
  positions.reportPosition({ orderId, lat, lng, accuracy }).catch(() => {});
};

/** @param orderId of an order under way; null: the position goes with records alone. */
const readPosition = (orderId: string | null = null): Promise<void> =>
  new Promise((resolve) => {
    const options = { enableHighAccuracy: true, maximumAge: 0, timeout: everyMs };
    const read = ({ coords }: GeolocationPosition) => {
      const [lat, lng] = [coords.latitude, coords.longitude].map((of) => Number(of.toFixed(6)));
      newest = { position: { lat: lat!, lng: lng! }, atMs: performance.now() };
      if (orderId !== null) report(orderId, newest.position, coords.accuracy);
      resolve();
    };
    navigator.geolocation.getCurrentPosition(
      read,
      ({ code, PERMISSION_DENIED }) => {
        if (code === PERMISSION_DENIED) localStorage.setItem(choice, 'denied');
        resolve();
      },
      options,
    );
  });

/** Reads the position while the page is visible. @param underWay the order of the page; null: none. */
export const usePosition = (underWay: string | null): void => {
  useEffect(() => {
    const read = () => {
      if (document.visibilityState === 'visible' && positionChoice() === 'yes')
        void readPosition(underWay);
    };
    read();
    const timer = setInterval(read, everyMs);
    document.addEventListener('visibilitychange', read);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', read);
    };
  }, [underWay]);
};
