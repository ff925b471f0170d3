import { migrate, openDatabase } from '@pto/database';
import type { Service } from '@pto/lifecycle';
import { startGrpcServer } from '@pto/rpc';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { migrations } from '../migrations/index.ts';
import type { CourierSettings } from './config.ts';
import { openOrders } from './moves/orders.ts';
import { phones } from './moves/phone.ts';
import { courierService } from './rpc/courier-service.ts';
import { deleteOld } from './runs/store.ts';
import { startWork } from './runs/work.ts';

const deleteEveryMs = 3_600_000;

/** Starts the service: moves of orders in the sandbox, at once and by runs. */
export const startCourier = async (
  settings: CourierSettings,
  telemetry: Telemetry,
): Promise<Service & { grpcPort: number }> => {
  if (settings.migrationDatabaseUrl) await migrate(settings.migrationDatabaseUrl, migrations);
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const orders = openOrders({ urls: settings.ordersUrls, server: 'orders', tls: settings });
  const courier = { orders, phoneOf: phones(settings.deviceKey) };
  const work = startWork(db, courier, telemetry);
  const deletion = startWorker({
    tick: async () => {
      await deleteOld(db);
      return deleteEveryMs;
    },
    failed: (err) => {
      telemetry.log.warn({ err }, 'old runs could not be deleted; the next tick tries it again');
      return deleteEveryMs;
    },
  });
  const grpc = await startGrpcServer({
    host: settings.host,
    port: settings.grpcPort,
    tls: settings,
    telemetry,
    implementations: [courierService({ db, courier, wake: work.wake })],
  });
  return {
    grpcPort: grpc.port,
    checks: { database: () => db.ping(), clock: db.checkClock },
    stop: async () => {
      await Promise.all([grpc.stop(), work.stop(), deletion.stop()]);
      await db.close();
    },
  };
};
