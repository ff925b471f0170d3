import { BlockList } from 'node:net';
import type { Labels, Manifest } from '../rendered.ts';

/** Somebody who can be spoken to, or speak. */
export interface Endpoint {
  readonly name: string;
  /** Of a pod in the release's namespace, or in another. */
  readonly labels?: Labels;
  readonly namespace?: string;
  /** Of somebody who is no pod. */
  readonly address?: string;
  /** Open ports by name; those of others by number. */
  readonly ports: Readonly<Record<string, number>>;
}

interface Peer {
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: { matchLabels?: Labels };
  ipBlock?: { cidr: string; except?: string[] };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port?: string | number; protocol: string }[];
}

/** As Kubernetes judges it: whom a policy selects may do only what a policy allows, at both ends. */
export const allows = (
  policies: readonly Manifest[],
  from: Endpoint,
  to: Endpoint,
  port: string,
): boolean => {
  const rules = (of: Endpoint, way: 'ingress' | 'egress'): Rule[] | undefined => {
    const type = way === 'ingress' ? 'Ingress' : 'Egress';
    const selecting = policies.filter(
      ({ spec }) =>
        of.namespace === undefined &&
        of.labels !== undefined &&
        spec.policyTypes.includes(type) &&
        matches(spec.podSelector.matchLabels, of.labels),
    );
    return selecting.length === 0 ? undefined : selecting.flatMap(({ spec }) => spec[way] ?? []);
  };
  const opens = ({ ports }: Rule) =>
    !ports ||
    ports.some(
      (open) =>
        open.protocol === 'TCP' &&
        (open.port === undefined || open.port === port || open.port === to.ports[port]),
    );
  const out = rules(from, 'egress');
  const into = rules(to, 'ingress');
  return (
    (out?.some((rule) => opens(rule) && (!rule.to || rule.to.some((peer) => is(peer, to)))) ??
      true) &&
    (into?.some(
      (rule) => opens(rule) && (!rule.from || rule.from.some((peer) => is(peer, from))),
    ) ??
      true)
  );
};

const matches = (wanted: Labels | undefined, labels: Labels): boolean =>
  Object.entries(wanted ?? {}).every(([key, value]) => labels[key] === value);

const is = ({ podSelector, namespaceSelector, ipBlock }: Peer, who: Endpoint): boolean => {
  if (ipBlock) {
    if (who.address === undefined) return false;
    const inside = (cidr: string) => {
      const [address = '', bits] = cidr.split('/');
      const list = new BlockList();
      list.addSubnet(address, Number(bits));
      return list.check(who.address!);
    };
    return inside(ipBlock.cidr) && !(ipBlock.except ?? []).some(inside);
  }
  if (who.labels === undefined) return false;
  const inNamespace = namespaceSelector
    ? matches(namespaceSelector.matchLabels, {
        'kubernetes.io/metadata.name': who.namespace ?? 'partner-api',
      })
    : who.namespace === undefined;
  return inNamespace && (!podSelector || matches(podSelector.matchLabels, who.labels));
};
