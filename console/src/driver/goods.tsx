import { wordOf } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { number, t } from '../parts/words.ts';
import type { KnownOrder } from './known-orders.ts';
import { missingOf, sealsOf } from './next-step.ts';
import type { DriverRecord } from './records.ts';
import { windowOf } from './when.ts';

/** When, what and under which conditions. */
export const Goods = ({
  known,
  records,
}: {
  known: KnownOrder;
  records: readonly DriverRecord[];
}) => {
  const { open, order } = known;
  const seals = sealsOf(known, records);
  const { temperatureMin: min, temperatureMax: max } = order;
  const degrees = (value: string) => `${number(Number(value))} °C`;
  const rows = [
    [t('Pick-up window'), windowOf(order.pickupWindowStart, order.pickupWindowEnd)],
    [
      t('Goods'),
      order.items
        .map(({ goodsType }, at) => (seals[at] ? `${goodsType} (${seals[at]})` : goodsType))
        .join('\n'),
    ],
    [
      t('Temperature'),
      min !== undefined && max !== undefined
        ? `${degrees(min)} ${t('to')} ${degrees(max)}`
        : min !== undefined
          ? t('at least {value}', { value: degrees(min) })
          : max !== undefined && t('at most {value}', { value: degrees(max) }),
    ],
    ...(['pickup', 'dropoff', 'return'] as const).map((stage) => [
      t('Required: {stage}', { stage: wordOf(stage) }),
      missingOf(known, records, stage).map(wordOf).join(', '),
    ]),
    [t('Notes'), order.notes],
    [t('Reference'), open.externalId ?? open.id.slice(0, 8)],
  ];
  return (
    <dl>
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={`${name}`}>
              <dt>{name}</dt>
              <dd>
                <Text of={`${value}`} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
};
