/**
 * What the phone keeps: its key, the shift, the orders as it last read them, the records of the driver,
 * and the forms of those to come. It survives a closed page and an empty battery.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { useEffect, useState } from 'react';
import type { Draft, FormKey } from './draft.ts';
import type { KnownOrder } from './known-orders.ts';
import type { DriverRecord } from './records.ts';
import type { Opening, Shift } from './shift.ts';

/** A pair whose private key no script can read, and its public key in base64url. */
export interface StoredDevice {
  readonly key: string;
  readonly pair: CryptoKeyPair;
}

/** Two drivers of one phone may have had the same order. */
type OrderKey = [driverId: string, id: string];

interface Stored extends DBSchema {
  devices: { key: number; value: StoredDevice };
  opening: { key: 'opening'; value: Opening };
  shift: { key: 'shift'; value: Shift };
  orders: { key: OrderKey; value: KnownOrder };
  /** In the order in which the driver made them. */
  records: { key: number; value: DriverRecord; indexes: { byOrder: string } };
  drafts: { key: [...FormKey, name: string]; value: Draft };
}
export type Store = IDBPDatabase<Stored>;

/** Returns a driver's records of an order, oldest first. */
export const recordsOf = async (driverId: string, orderId: string): Promise<DriverRecord[]> =>
  (await (await openStore()).getAllFromIndex('records', 'byOrder', orderId)).filter(
    (one) => one.driverId === driverId,
  );

let opened: Promise<Store> | undefined;

/** Opens the phone's database. @throws Error if the browser keeps nothing. */
export const openStore = (): Promise<Store> => {
  opened ??= openDB<Stored>('driver', 2, {
    upgrade: (db, before) => {
      db.createObjectStore('drafts', { keyPath: 'key' });
      if (before > 0) return;
      db.createObjectStore('devices', { autoIncrement: true });
      db.createObjectStore('opening');
      db.createObjectStore('shift');
      db.createObjectStore('orders', { keyPath: ['driverId', 'id'] });
      const records = db.createObjectStore('records', { keyPath: 'number', autoIncrement: true });
      records.createIndex('byOrder', 'orderId');
    },
  });
  return opened;
};

const channel = new BroadcastChannel('driver');
const changes = new EventTarget();
channel.addEventListener('message', () => changes.dispatchEvent(new Event('changed')));

/** Tells every open page that something stored has changed. */
export const noteChange = (): void => {
  changes.dispatchEvent(new Event('changed'));
  channel.postMessage('changed');
};

/** Calls on each change that a page makes. @returns what ends it. */
export const onChange = (changed: () => void): (() => void) => {
  changes.addEventListener('changed', changed);
  return () => changes.removeEventListener('changed', changed);
};

/** Returns what a function reads from the phone's store, and reads it again after each change. */
export const useStored = <T>(read: () => Promise<T>): T | undefined => {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    let [isShown, reads] = [true, 0];
    const again = async () => {
      const number = ++reads;
      const now = await read();
      if (isShown && number === reads) setValue(now);
    };
    void again();
    const stop = onChange(again);
    return () => {
      isShown = false;
      stop();
    };
  }, [read]);
  return value;
};
