import { BlockList, isIP } from 'node:net';

/** Hosts that mean something else for the service than for the tenant who names them. */
export const hostKinds = ['loopback', 'link-local', 'private', 'cluster'] as const;
export type HostKind = (typeof hostKinds)[number];

const networks: Record<Exclude<HostKind, 'cluster'>, readonly [address: string, bits: number][]> = {
  loopback: [
    ['127.0.0.0', 8],
    ['0.0.0.0', 8],
    ['::1', 128],
    ['::', 128],
  ],
  'link-local': [
    ['169.254.0.0', 16],
    ['fe80::', 10],
  ],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['fc00::', 7],
  ],
};

const lists = Object.entries(networks).map(([kind, subnets]) => {
  const list = new BlockList();
  for (const [address, bits] of subnets) list.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');
  return [kind as HostKind, list] as const;
});

/** The kind of an internal host name or address; undefined for others. Names are not resolved. */
export function kindOfHost(host: string): HostKind | undefined {
  const name = canonical(host);
  const family = isIP(name);
  if (family !== 0) return lists.find(([, list]) => list.check(name, family === 6 ? 'ipv6' : 'ipv4'))?.[0];
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  if (/\.svc$|\.cluster\.local$/u.test(name) || !name.includes('.')) return 'cluster';
  return undefined;
}

/** The canonical spelling: an address may also be written as one number, in octal, or as IPv4 within IPv6. */
function canonical(host: string): string {
  const bare = host.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
  const text = `http://${bare.includes(':') ? `[${bare.replace(/%.*$/u, '')}]` : bare}/`;
  const read = URL.canParse(text) ? new URL(text).hostname : bare.toLowerCase();
  return read.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
}

const words: Record<HostKind, string> = {
  loopback: 'the service’s own machine',
  'link-local': 'a link-local address',
  private: 'a private network',
  cluster: 'a name within the service’s cluster',
};

/** Why tenants may not use a host, as the end of a sentence about a field; undefined if they may. */
export function whyHostRefused(host: string, refused: readonly HostKind[]): string | undefined {
  const kind = kindOfHost(host);
  if (kind === undefined || !refused.includes(kind)) return undefined;
  return `${host} is ${words[kind]}, which your administrator does not permit: use an address that is reached from outside`;
}
