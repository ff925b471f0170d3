import { StatusService } from '@pto/proto/operators/v1/status';
import type { Metrics } from '@pto/telemetry';
import { type Implementation, implement } from './call.ts';

/**
 * Serves present values of this process's metrics to operators, without the label `service`. A
 * metric without a value, because its sample failed, is left out.
 * @param names of gauges.
 */
export const statusService = (metrics: Metrics, names: readonly string[]): Implementation =>
  implement(StatusService, {
    getMeasurements: async () => {
      const found = names
        .map((name) => metrics.getSingleMetric(name))
        .filter((one) => one !== undefined);
      const sampled = await Promise.all(found.map((metric) => metric.get()));
      return {
        measurements: sampled.flatMap(({ name, values }) =>
          values.map(({ labels, value }) => ({
            name,
            labels: Object.entries(labels).flatMap(([label, text]) =>
              label === 'service' ? [] : [`${text}`],
            ),
            value,
          })),
        ),
      };
    },
  });
