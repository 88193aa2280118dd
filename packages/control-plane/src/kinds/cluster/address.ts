import { isIPv6 } from 'node:net';
import { type FieldError, fieldError } from '@fairlead/apimachinery';

/** An IP address as in the lenient parser of Go: leading zeros are accepted, an IPv4-mapped IPv6 address is IPv4. */
export interface Address {
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
  readonly leadingZeros: boolean;
  readonly mapped: boolean;
}

export function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255)) return undefined;
  return {
    bytes: parts.map(Number),
    leadingZeros: parts.some((part) => part.length > 1 && part.startsWith('0')),
    mapped: false,
  };
}

function parseV6(text: string): Address | undefined {
  const [, prefix = '', dotted] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const tail = dotted === undefined ? undefined : parseV4(dotted);
  if (dotted !== undefined && !tail) return undefined;
  const plain = tail ? prefix + groupsOf(tail.bytes).join(':') : text;
  if (!isIPv6(plain) || plain.includes('%')) return undefined;
  const [head = '', rest] = plain.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = rest === undefined || rest === '' ? [] : rest.split(':');
  const zeros = rest === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  const bytes = [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return { bytes: mapped ? bytes.slice(12) : bytes, leadingZeros: tail?.leadingZeros ?? false, mapped };
}

/** Pairs of bytes in IPv6 notation. */
const groupsOf = (bytes: readonly number[]): string[] =>
  Array.from({ length: bytes.length / 2 }, (_, at) => {
    const [high = 0, low = 0] = bytes.slice(at * 2, at * 2 + 2);
    return ((high << 8) | low).toString(16);
  });

export const isV6 = (text: string): boolean => parseAddress(text)?.bytes.length === 16;

/** In the format of Go: RFC 5952, and IPv4-mapped addresses as IPv4. */
export function formatAddress({ bytes }: Pick<Address, 'bytes'>): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = groupsOf(bytes);
  let start = -1;
  let length = 1;
  for (let at = 0; at < 8; at += 1) {
    let end = at;
    while (end < 8 && groups[end] === '0') end += 1;
    if (end - at > length) [start, length] = [at, end - at];
  }
  if (start < 0) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

export interface Network {
  /** As written, including bits beyond the prefix. */
  readonly address: Address;
  readonly prefix: number;
  readonly leadingZeros: boolean;
}

export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = parseAddress(text.slice(0, slash));
  const size = text.slice(slash + 1);
  if (!address || !/^\d+$/.test(size)) return undefined;
  const written = Number(size);
  if (written > (address.mapped ? 128 : address.bytes.length * 8)) return undefined;
  return {
    address,
    prefix: address.mapped ? Math.max(0, written - 96) : written,
    leadingZeros: address.leadingZeros || (size.length > 1 && size.startsWith('0')),
  };
}

export const maskedBytes = ({ address, prefix }: Network): number[] =>
  address.bytes.map((byte, at) => byte & (0xff << Math.max(0, 8 - Math.max(0, prefix - at * 8))));

export const formatNetwork = (network: Network): string =>
  `${formatAddress({ bytes: maskedBytes(network) })}/${network.prefix}`;

export const contains = (network: Network, address: Address): boolean =>
  network.address.bytes.length === address.bytes.length &&
  formatNetwork(network) === formatNetwork({ ...network, address });

const sameBytes = (left: readonly number[], right: readonly number[]): boolean => left.join() === right.join();

/** Fields that accepted non-canonical addresses before: now strict, but values of the old object stay valid. */
export function legacyAddress(field: string, value: string, known: readonly string[] = []): FieldError[] {
  if (known.includes(value)) return [];
  const address = parseAddress(value);
  if (!address) {
    return [fieldError.invalid(field, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
  }
  return [
    ...(address.leadingZeros ? [fieldError.invalid(field, value, 'must not have leading 0s')] : []),
    ...(address.mapped ? [fieldError.invalid(field, value, 'must not be an IPv4-mapped IPv6 address')] : []),
  ];
}

/** An address in canonical form. */
export function canonicalAddress(field: string, value: string): FieldError[] {
  const errors = legacyAddress(field, value);
  const address = errors.length > 0 ? undefined : parseAddress(value);
  const canonical = address ? formatAddress(address) : value;
  return value === canonical
    ? errors
    : [fieldError.invalid(field, value, `must be in canonical form (${JSON.stringify(canonical)})`)];
}

export function legacyNetwork(field: string, value: string, known: readonly string[] = []): FieldError[] {
  if (known.includes(value)) return [];
  const network = parseNetwork(value);
  const problem = network ? networkProblem(network) : 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  return problem ? [fieldError.invalid(field, value, problem)] : [];
}

function networkProblem(network: Network): string | undefined {
  if (network.leadingZeros) return 'must not have leading 0s in IP or prefix length';
  if (network.address.mapped) return 'must not have an IPv4-mapped IPv6 address';
  if (!sameBytes(network.address.bytes, maskedBytes(network))) {
    return 'must not have bits set beyond the prefix length';
  }
  return undefined;
}

export function addressWarnings(field: string, value: string): string[] {
  const address = parseAddress(value);
  if (!address) return [];
  const canonical = formatAddress(address);
  if (address.leadingZeros || address.mapped) {
    return [`${field}: non-standard IP address ${JSON.stringify(value)} is invalid: use ${JSON.stringify(canonical)}`];
  }
  if (address.bytes.length === 4 || canonical === value) return [];
  return [
    `${field}: IPv6 address ${JSON.stringify(value)} should be in RFC 5952 canonical format (${JSON.stringify(canonical)})`,
  ];
}

export function networkWarnings(field: string, value: string): string[] {
  const network = parseNetwork(value);
  if (!network) return [];
  const canonical = JSON.stringify(formatNetwork(network));
  const quoted = JSON.stringify(value);
  const warnings: string[] = [];
  if (!sameBytes(network.address.bytes, maskedBytes(network))) {
    const single = JSON.stringify(`${formatAddress(network.address)}/${network.address.bytes.length * 8}`);
    warnings.push(`${field}: CIDR value ${quoted} is ambiguous in this context (should be ${canonical} or ${single}?)`);
  }
  if (network.leadingZeros || network.address.mapped) {
    warnings.push(`${field}: non-standard CIDR value ${quoted} is invalid: use ${canonical}`);
  }
  if (warnings.length === 0 && network.address.bytes.length === 16 && canonical !== quoted) {
    warnings.push(`${field}: IPv6 CIDR value ${quoted} should be in RFC 5952 canonical format (${canonical})`);
  }
  return warnings;
}

/** Addresses that a Service may not send traffic to. */
export function endpointAddress(field: string, value: string): FieldError[] {
  const address = parseAddress(value);
  if (!address) return [fieldError.invalid(field, value, 'must be a valid IP address')];
  const { bytes } = address;
  const [first = 0, second = 0, third = 0] = bytes;
  const v4 = bytes.length === 4;
  const invalid = (detail: string) => [fieldError.invalid(field, value, detail)];
  if (bytes.every((byte) => byte === 0)) return invalid(`may not be unspecified (${value})`);
  if (v4 ? first === 127 : bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1) {
    return invalid('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  }
  if (v4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80) {
    return invalid('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (v4 ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 2) {
    return invalid('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
  return [];
}
