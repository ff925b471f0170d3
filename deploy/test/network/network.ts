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
      ({ metadata, spec }) =>
        of.labels !== undefined &&
        namespaceOf(of) === namespaceOf(metadata) &&
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
    (out?.some((rule) => opens(rule) && (!rule.to || rule.to.some((peer) => is(peer, to, from)))) ??
      true) &&
    (into?.some(
      (rule) => opens(rule) && (!rule.from || rule.from.some((peer) => is(peer, from, to))),
    ) ??
      true)
  );
};

const matches = (wanted: Labels | undefined, labels: Labels): boolean =>
  Object.entries(wanted ?? {}).every(([key, value]) => labels[key] === value);

/** Of a pod or a policy that names none: that of the release. */
const namespaceOf = ({ namespace = 'partner-api' }: { readonly namespace?: string }): string =>
  namespace;

/** @param selected by the policy: in its namespace pods are looked for where no other one is named. */
const is = (
  { podSelector, namespaceSelector, ipBlock }: Peer,
  who: Endpoint,
  selected: Endpoint,
): boolean => {
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
        'kubernetes.io/metadata.name': namespaceOf(who),
      })
    : namespaceOf(who) === namespaceOf(selected);
  return inNamespace && (!podSelector || matches(podSelector.matchLabels, who.labels));
};
