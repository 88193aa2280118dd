import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Tells whether an address belongs to a proxy whose headers are trusted. */
export type IsTrustedProxy = (address: string) => boolean;

/** Reads addresses and networks: `10.0.0.0/8`. Throws for one that cannot be read. */
export function trustedProxies(networks: readonly string[]): IsTrustedProxy {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const version = isIP(address);
    const prefix = bits === undefined ? (version === 4 ? 32 : 128) : Number(bits);
    if (version === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > (version === 4 ? 32 : 128)) {
      throw new Error(`${JSON.stringify(network)} is not an address or a network: use for example 10.0.0.0/8`);
    }
    list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Where a request comes from: the last address of `X-Forwarded-For` that no trusted proxy has. */
export function clientAddress(remoteAddress: string, headers: IncomingHttpHeaders, isTrusted: IsTrustedProxy): string {
  const own = plain(remoteAddress);
  if (!isTrusted(own)) return own;
  const forwarded = [headers['x-forwarded-for'] ?? '']
    .flat()
    .join(',')
    .split(',')
    .map((part) => part.trim());
  const last = forwarded.findLast((address) => address !== '' && !isTrusted(plain(address)));
  return last !== undefined && isIP(plain(last)) !== 0 ? plain(last) : own;
}

/** IPv4 addresses that were mapped to IPv6 are written as IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.)/iu, '');

/** What limits are counted by: a host has many addresses of IPv6, all in one network. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const after = tail.split(':').filter((group) => group !== '');
  const missing = address.includes('::') ? Math.max(0, 8 - groups.length - after.length) : 0;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...after];
  return `${all.slice(0, 4).join(':')}::/64`;
}
