import { isIP } from 'node:net';
import {
  type Address,
  contains,
  formatAddress,
  maskedBytes,
  type Network,
  parseAddress,
  parseNetwork,
} from '../../../kinds/cluster/address.ts';
import { namespaced, type Overload, overload, perCharacter } from '../overloads.ts';
import { CelError, Opaque } from '../values.ts';

/** Stricter than the rest of the server: no leading zeros, no zones, no IPv4 in IPv6's clothes. */
function readAddress(text: string): Address | undefined {
  const address = isIP(text) === 0 ? undefined : parseAddress(text);
  return address && !address.leadingZeros && !address.mapped ? address : undefined;
}

function readNetwork(text: string): Network | undefined {
  const network = readAddress(text.slice(0, text.indexOf('/'))) && parseNetwork(text);
  return network && !network.leadingZeros ? network : undefined;
}

const textOf = ({ address, prefix }: Network): string => `${formatAddress(address)}/${prefix}`;

const addressValue = (address: Address): Opaque =>
  new Opaque('IP', address, (other) => formatAddress(address) === formatAddress(other as Address));
const networkValue = (network: Network): Opaque =>
  new Opaque('CIDR', network, (other) => textOf(network) === textOf(other as Network));

function toAddress(text: string): Opaque {
  const address = readAddress(text);
  if (!address) throw new CelError(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return addressValue(address);
}

function toNetwork(text: string): Opaque {
  const network = readNetwork(text);
  if (!network)
    throw new CelError(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
  return networkValue(network);
}

const addressOf = (value: Opaque): Address => value.content as Address;
const networkOf = (value: Opaque): Network => value.content as Network;

const isUnspecified = ({ bytes }: Address): boolean => bytes.every((byte) => byte === 0);
const isLoopback = ({ bytes }: Address): boolean =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
const isLinkLocalUnicast = ({ bytes }: Address): boolean =>
  bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;
const isLinkLocalMulticast = ({ bytes }: Address): boolean =>
  bytes.length === 4
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && (bytes[1]! & 0x0f) === 2;
const isMulticast = ({ bytes }: Address): boolean =>
  bytes.length === 4 ? (bytes[0]! & 0xf0) === 0xe0 : bytes[0] === 0xff;
const isGlobalUnicast = (address: Address): boolean =>
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address) &&
  !(address.bytes.length === 4 && address.bytes.every((byte) => byte === 255));

const containsNetwork = (outer: Network, inner: Network): boolean =>
  outer.prefix <= inner.prefix && contains(outer, inner.address);

const addressTest = (name: string, test: (address: Address) => boolean): Overload =>
  overload(`IP.${name}(): bool`, (value: Opaque) => test(addressOf(value)));

export const network: Overload[] = [
  overload('ip(string): IP', toAddress, perCharacter),
  overload('isIP(string): bool', (text: string) => readAddress(text) !== undefined, perCharacter),
  namespaced(
    'ip.isCanonical',
    'isCanonical(string): bool',
    (text: string) => formatAddress(addressOf(toAddress(text))) === text,
    perCharacter,
  ),
  overload('IP.family(): int', (value: Opaque) => (addressOf(value).bytes.length === 4 ? 4n : 6n)),
  addressTest('isUnspecified', isUnspecified),
  addressTest('isLoopback', isLoopback),
  addressTest('isLinkLocalMulticast', isLinkLocalMulticast),
  addressTest('isLinkLocalUnicast', isLinkLocalUnicast),
  addressTest('isGlobalUnicast', isGlobalUnicast),
  overload('string(IP): string', (value: Opaque) => formatAddress(addressOf(value))),
  overload('cidr(string): CIDR', toNetwork, perCharacter),
  overload('isCIDR(string): bool', (text: string) => readNetwork(text) !== undefined, perCharacter),
  overload('CIDR.containsIP(string): bool', (net: Opaque, text: string) =>
    contains(networkOf(net), addressOf(toAddress(text))),
  ),
  overload('CIDR.containsIP(IP): bool', (net: Opaque, address: Opaque) => contains(networkOf(net), addressOf(address))),
  overload('CIDR.containsCIDR(string): bool', (net: Opaque, text: string) =>
    containsNetwork(networkOf(net), networkOf(toNetwork(text))),
  ),
  overload('CIDR.containsCIDR(CIDR): bool', (net: Opaque, other: Opaque) =>
    containsNetwork(networkOf(net), networkOf(other)),
  ),
  overload('CIDR.ip(): IP', (net: Opaque) => addressValue(networkOf(net).address)),
  overload('CIDR.prefixLength(): int', (net: Opaque) => BigInt(networkOf(net).prefix)),
  overload('CIDR.masked(): CIDR', (net: Opaque) => {
    const own = networkOf(net);
    return networkValue({ ...own, address: { ...own.address, bytes: maskedBytes(own) } });
  }),
  overload('string(CIDR): string', (net: Opaque) => textOf(networkOf(net))),
];
