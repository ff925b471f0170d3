import { wordOf } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { number, t } from '../parts/words.ts';
import { missingOf, sealsOf } from './next-step.ts';
import type { OfOrder } from './records.ts';
import { windowOf } from './when.ts';

/** When, what and under which conditions. */
export const Goods = ({ known, records }: Omit<OfOrder, 'shift'>) => {
  const { open, order } = known;
  const seals = sealsOf(known, records);
  const { temperatureMin: min, temperatureMax: max } = order;
  const degrees = (value: string) => `${number(Number(value))} °C`;
  const rows: readonly Fact[] = [
    [
      t('Pick-up window'),
      windowOf(order.pickupWindowStart, order.pickupWindowEnd, open.pickup!.country),
    ],
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
    ...(['pickup', 'dropoff', 'return'] as const).map(
      (stage): Fact => [
        t('Required at the {stage}', { stage: wordOf(stage) }),
        missingOf(known, records, stage).map(wordOf).join(', '),
      ],
    ),
    [t('Notes'), order.notes],
  ];
  return <Facts of={rows} />;
};

type Fact = readonly [name: string, value: string | false | undefined];

/** A list of values with their names; one without a value is left out. */
export const Facts = ({ of }: { of: readonly Fact[] }) => (
  <dl>
    {of.map(
      ([name, value]) =>
        value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Text of={value} />
            </dd>
          </div>
        ),
    )}
  </dl>
);
