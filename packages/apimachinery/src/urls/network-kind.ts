import { BlockList, isIP } from 'node:net';

/** Addresses with another meaning for a server than for the tenant. */
export const networkKinds = ['loopback', 'link-local', 'private', 'translated'] as const;
export type NetworkKind = (typeof networkKinds)[number];

const networks: Record<NetworkKind, readonly [address: string, bits: number][]> = {
  loopback: [
    ['127.0.0.0', 8],
    ['0.0.0.0', 8],
    ['::1', 128],
    ['::', 128],
  ],
  // Including the metadata services of clouds.
  'link-local': [
    ['169.254.0.0', 16],
    ['fe80::', 10],
    ['224.0.0.0', 3],
    ['ff00::', 8],
  ],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['192.0.0.0', 24],
    ['198.18.0.0', 15],
    ['fc00::', 7],
    ['fec0::', 10],
  ],
  // Can reach any IPv4 address: NAT64, 6to4, Teredo, and IPv4 in IPv6.
  translated: [
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['2002::', 16],
    ['2001::', 32],
    ['::', 96],
  ],
};

const lists = networkKinds.map((kind) => {
  const list = new BlockList();
  for (const [address, bits] of networks[kind]) list.addSubnet(address, bits, familyOf(address));
  return [kind, list] as const;
});

/** The kind of an IP address; undefined for a public one. IPv4 in IPv6 notation has its IPv4 kind. */
export function networkKindOf(address: string): NetworkKind | undefined {
  const bare = address.replace(/^\[|\]$/gu, '').replace(/%.*$/u, '');
  if (isIP(bare) === 0) return undefined;
  return lists.find(([, list]) => list.check(bare, familyOf(bare)))?.[0];
}

/** The addresses that a project may connect to. */
export interface AllowedNetworks {
  /** Part of cache keys: content read under other rules is not shared. */
  readonly key: string;
  permits(address: string): boolean;
}

/**
 * Parses a list of kinds and networks, `private, 203.0.113.0/24`; public addresses are always permitted. Undefined for `*`: everything is
 * permitted. Invalid entries permit nothing.
 */
export function parseAllowedNetworks(text: string): AllowedNetworks | undefined {
  const entries = text.split(/[\s,]+/u).filter((entry) => entry !== '');
  if (entries.includes('*')) return undefined;
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address);
    const size = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
    if (family !== 0 && Number.isInteger(size) && size >= 0 && size <= (family === 4 ? 32 : 128))
      list.addSubnet(address, size, familyOf(address));
  }
  return {
    key: `networks ${entries.toSorted().join(' ')}`,
    permits(address) {
      const bare = address.replace(/^\[|\]$/gu, '').replace(/%.*$/u, '');
      if (isIP(bare) === 0) return false;
      const kind = networkKindOf(bare);
      return kind === undefined || entries.includes(kind) || list.check(bare, familyOf(bare));
    },
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
