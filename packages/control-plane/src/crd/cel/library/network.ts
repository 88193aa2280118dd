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

/** Stricter than the rest of the server: no leading zeros, no zones, no IPv4-mapped IPv6 addresses. */
function readAddress(text: string): Address | undefined {
  const address = isIP(text) === 0 ? undefined : parseAddress(text);
  return address && !address.leadingZeros && !address.mapped ? address : undefined;
}

function readNetwork(text: string): Network | undefined {
  const network = readAddress(text.slice(0, text.indexOf('/'))) && parseNetwork(text);
  return network && !network.leadingZeros ? network : undefined;
}

const textOf = ({ address, prefix }: Network): string => `${formatAddress(address)}/${prefix}`;

type AddressValue = Opaque<Address>;
type NetworkValue = Opaque<Network>;

const addressValue = (address: Address): AddressValue => new Opaque('IP', address, formatAddress(address));
const networkValue = (network: Network): NetworkValue => new Opaque('CIDR', network, textOf(network));

function toAddress(text: string): AddressValue {
  const address = readAddress(text);
  if (!address) throw new CelError(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  return addressValue(address);
}

function toNetwork(text: string): NetworkValue {
  const network = readNetwork(text);
  if (!network)
    throw new CelError(`network address parse error during conversion from string: ${JSON.stringify(text)}`);
  return networkValue(network);
}

const byteAt = (bytes: ArrayLike<number>, index: number): number => bytes[index] ?? 0;
const isUnspecified = ({ bytes }: Address): boolean => bytes.every((byte) => byte === 0);
const isLoopback = ({ bytes }: Address): boolean =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
const isLinkLocalUnicast = ({ bytes }: Address): boolean =>
  bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && (byteAt(bytes, 1) & 0xc0) === 0x80;
const isLinkLocalMulticast = ({ bytes }: Address): boolean =>
  bytes.length === 4
    ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
    : bytes[0] === 0xff && (byteAt(bytes, 1) & 0x0f) === 2;
const isMulticast = ({ bytes }: Address): boolean =>
  bytes.length === 4 ? (byteAt(bytes, 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
const isGlobalUnicast = (address: Address): boolean =>
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address) &&
  !(address.bytes.length === 4 && address.bytes.every((byte) => byte === 255));

const containsNetwork = (outer: Network, inner: Network): boolean =>
  outer.prefix <= inner.prefix && contains(outer, inner.address);

const addressTest = (name: string, test: (address: Address) => boolean): Overload =>
  overload(`IP.${name}(): bool`, (value: AddressValue) => test(value.content));

export const network: Overload[] = [
  overload('ip(string): IP', toAddress, perCharacter),
  overload('isIP(string): bool', (text: string) => readAddress(text) !== undefined, perCharacter),
  namespaced(
    'ip.isCanonical',
    'isCanonical(string): bool',
    (text: string) => formatAddress(toAddress(text).content) === text,
    perCharacter,
  ),
  overload('IP.family(): int', (value: AddressValue) => (value.content.bytes.length === 4 ? 4n : 6n)),
  addressTest('isUnspecified', isUnspecified),
  addressTest('isLoopback', isLoopback),
  addressTest('isLinkLocalMulticast', isLinkLocalMulticast),
  addressTest('isLinkLocalUnicast', isLinkLocalUnicast),
  addressTest('isGlobalUnicast', isGlobalUnicast),
  overload('string(IP): string', (value: AddressValue) => formatAddress(value.content)),
  overload('cidr(string): CIDR', toNetwork, perCharacter),
  overload('isCIDR(string): bool', (text: string) => readNetwork(text) !== undefined, perCharacter),
  overload('CIDR.containsIP(string): bool', (net: NetworkValue, text: string) =>
    contains(net.content, toAddress(text).content),
  ),
  overload('CIDR.containsIP(IP): bool', (net: NetworkValue, address: AddressValue) =>
    contains(net.content, address.content),
  ),
  overload('CIDR.containsCIDR(string): bool', (net: NetworkValue, text: string) =>
    containsNetwork(net.content, toNetwork(text).content),
  ),
  overload('CIDR.containsCIDR(CIDR): bool', (net: NetworkValue, other: NetworkValue) =>
    containsNetwork(net.content, other.content),
  ),
  overload('CIDR.ip(): IP', (net: NetworkValue) => addressValue(net.content.address)),
  overload('CIDR.prefixLength(): int', (net: NetworkValue) => BigInt(net.content.prefix)),
  overload('CIDR.masked(): CIDR', (net: NetworkValue) => {
    const own = net.content;
    return networkValue({ ...own, address: { ...own.address, bytes: maskedBytes(own) } });
  }),
  overload('string(CIDR): string', (net: NetworkValue) => textOf(net.content)),
];
