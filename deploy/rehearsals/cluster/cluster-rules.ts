import { stringify } from 'yaml';
import { manifests, render } from '../../test/rendered.ts';
import { shortenRules } from '../alerts/shortened-rules.ts';
import { where } from './cluster.ts';

/** Returns the rules on the cluster as Helm renders them for this release, shortened. */
export const clusterRules = (): string => {
  const text = render('local', [
    ...where,
    ...['--set', 'global.monitoring.rules=true', '--show-only', 'templates/monitoring.yaml'],
  ]);
  const rules = manifests(text).find(({ metadata }) => metadata.name === 'partner-api-cluster');
  if (rules === undefined) throw new Error('the chart has no rules on the cluster');
  return shortenRules(stringify(rules.spec, { lineWidth: 0 }));
};
